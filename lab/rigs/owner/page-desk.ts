import { TRPCClientError } from '@trpc/client'
import type { RouterOutputs } from '#owner/desk/views/api/trpc.ts'
import { isSame, textAt } from '#owner/site/draft/draft-difference.ts'
import type { ContentValue } from '#site/words/description.ts'
import { renderingBuild } from '../server/rendering-build.ts'
import type { TestApp } from '../server/test-app.ts'
import { deskApp, type deskBrowser, signedIn } from './test-desk.ts'

type FileKind = 'script' | 'guide' | 'sharePicture'

/** Returns what opens a new desk that renders, with the owner at it. */
export function startPageDesk() {
  const { folder: dist, renderer } = renderingBuild()
  return async () => {
    const app = await deskApp({ parts: { dist, renderer } })
    return pageDesk(app, await signedIn(app))
  }
}

/** The owner's acts on the view Page, in a browser that is signed in. */
export function pageDesk(app: TestApp, browser: ReturnType<typeof deskBrowser>) {
  const { desk } = browser
  const show = () => desk.page.show.query()
  async function send(path: string, content: string | Buffer) {
    const headers = { 'content-type': 'application/octet-stream' }
    const body = Buffer.from(content)
    const answer = await browser.send(`/desk/api/${path}`, { method: 'POST', headers, body })
    const { error, ...result } = (await answer.json()) as { error?: object; conflict?: unknown }
    if (error) throw TRPCClientError.from({ error } as never) // of a route, in the router's form
    return result
  }
  return {
    app,
    browser,
    desk,
    show,
    /** The texts that would be published: those that differ from the published ones. */
    changed: async () => changedTexts(await show()),
    /** Types over what is published or drafted. */
    async type(path: string, value: ContentValue) {
      const { revision } = await show()
      await desk.page.save.mutate({ tab: 'tab', texts: [{ path, value, revision }] })
    },
    publish: async () => desk.page.publish.mutate({ revision: (await show()).revision }),
    /** `seen`: the revision that this device saw. Left out: the one of now. */
    async put(kind: FileKind, name: string, content: string | Buffer, seen?: number) {
      const revision = String(seen ?? (await show()).revision)
      const query = new URLSearchParams({ kind, name, revision })
      return send(`page-file?${query}`, content)
    },
    takeAlong: async () => (await browser.send('/desk/api/page-as-file')).text(),
    bring: (content: string) => send('page-as-file', content),
    home: async () => (await app.inject('/')).body,
  }
}

function changedTexts({ texts, published, files }: RouterOutputs['page']['show']) {
  const own = Object.fromEntries(Object.entries(files).map(([kind, { isOwn }]) => [kind, isOwn]))
  const values = Object.keys({ ...published, ...texts }).map(
    (path) => [path, textAt(texts, path, own)] as const,
  )
  return Object.fromEntries(
    values.filter(([path, now]) => !isSame(now, textAt(published, path, own))),
  )
}

/** The text that an own script must come with. */
export const ownRule = ['kit.rule', 'It buys when the RSI turns.'] as const

export function ownScript(version: string): string {
  return `//@version=6\n// Version ${version}, 2026-11-25\nstrategy("RSI turn", "RSI")\n`
}

import { TRPCClientError } from '@trpc/client'
import { textAt } from '#owner/site/draft/draft-difference.ts'
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
    /** Types over what is published or drafted. */
    async type(path: string, value: ContentValue) {
      const { published, draft } = await show()
      const drafted = Object.fromEntries(draft.map((text) => [text.path, text.value]))
      const before = textAt({ ...published, ...drafted }, path)
      await desk.page.save.mutate({ writer: 'tab', texts: [{ path, before, value }] })
    },
    publish: async () => desk.page.publish.mutate({ stamp: (await show()).stamp }),
    /** `before`: the file that this device saw. Left out: the one of the draft. */
    async put(kind: FileKind, name: string, content: string | Buffer, before?: string) {
      const { hash } = (await show()).files[kind]
      const query = new URLSearchParams({ kind, name, before: before ?? hash ?? '' })
      return send(`page-file?${query}`, content)
    },
    takeAlong: async () => (await browser.send('/desk/api/page-as-file')).text(),
    bring: (content: string) => send('page-as-file', content),
    home: async () => (await app.inject('/')).body,
  }
}

export function ownScript(version: string): string {
  return `//@version=6\n// Version ${version}, 2026-11-25\nstrategy("RSI turn", "RSI")\n`
}

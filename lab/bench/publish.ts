import { setTimeout as sleep } from 'node:timers/promises'
import { createTRPCClient, httpLink } from '@trpc/client'
import { deskApiPath } from '#contract/desk-paths.ts'
import type { DeskRouter } from '#owner/desk/router.ts'
import { textAt } from '#owner/desk/routes/page/draft/draft-difference.ts'
import { eventually } from '#rigs/eventually.ts'
import { generateLoad, median } from '#rigs/load.ts'
import type { Product } from '#rigs/product.ts'
import { type Bench, connections, startBenchProduct } from './bench.ts'
import { inMs, measured, type Row, takeRounds } from './rounds.ts'

const everyMs = 1_000
const viewsPerSecond = 320

/** A text in no drawing, one in guide and share picture, one in the guide alone. */
const changed = ['landingPage.hero.lede', 'brand.name', 'setupGuide.subtitle'] as const
type Changed = (typeof changed)[number]

interface Waits {
  p99: number
  longest: number
}

/**
 * How long a publication takes until it is served, and how long visitors wait while there is one
 * each second, beside what they wait without.
 */
export async function benchPublish({ quick, folder }: Bench): Promise<Row[]> {
  const [seconds, rounds] = quick ? [3, 1] : [12, 5]
  await using product = await startBenchProduct(folder)
  const owner = await takeDesk(product)
  await owner.preview() // loads what draws, as the view Page does
  const took: Record<Changed, number[]> = {
    'landingPage.hero.lede': [],
    'brand.name': [],
    'setupGuide.subtitle': [],
  }
  let publications = 0
  async function publishEachSecond() {
    for (const end = performance.now() + seconds * 1000; performance.now() < end;) {
      const path = changed[publications % changed.length]!
      publications += 1
      const ms = await owner.publish(path, `Publication ${publications}`)
      took[path].push(ms)
      await sleep(Math.max(0, everyMs - ms))
    }
  }
  const runs = {
    publishing: () => visitorsDuring(product, publishEachSecond),
    quiet: () => visitorsDuring(product, () => sleep(seconds * 1000)),
  }
  for (const path of changed) await owner.publish(path, `Warm-up of ${path}`)
  const { publishing, quiet } = await takeRounds(rounds, runs)
  return [...tookRows(took), ...waitRows(publishing, quiet)]
}

function tookRows(took: Readonly<Record<Changed, readonly number[]>>): Row[] {
  return changed.map((path) =>
    measured(`${path}, from the press to served`, median([...took[path]]), inMs, { max: 2_000 }),
  )
}

/** `quiet`: in the same rounds. */
function waitRows(publishing: readonly Waits[], quiet: readonly Waits[]): Row[] {
  const longer = (of: (waits: Waits) => number) =>
    median(publishing.map((one, round) => of(one) - of(quiet[round]!)))
  const [p99, longest] = [longer((waits) => waits.p99), longer((waits) => waits.longest)]
  return [
    measured('p99 of views, above that without publications', p99, inMs, { max: 50 }),
    measured('longest view, above that without', longest, inMs),
  ]
}

/** Views at a steady rate during `work`. A wait counts from the moment the request is due. */
async function visitorsDuring(
  { port, url }: Product,
  work: () => Promise<unknown>,
): Promise<Waits> {
  const { host } = new URL(url)
  const bytes = Buffer.from(
    `GET / HTTP/1.1\r\nHost: ${host}\r\nAccept: text/html\r\nAccept-Encoding: br\r\n\r\n`,
  )
  const load = generateLoad({
    port,
    connections,
    perSecond: viewsPerSecond,
    next: () => ({ bytes }),
  })
  await work()
  await load.stop()
  return { p99: load.p99(), longest: Math.max(...load.latenciesMs) }
}

/** Makes the bench the owner, by the link that the product prints. */
async function takeDesk(product: Product) {
  const desk = deskOf(product.url)
  const secretIn = () => /\/desk\/start#(\S+)/.exec(product.printed())?.[1]
  await eventually('the link to the desk is printed', () => secretIn() !== undefined)
  const secret = secretIn() ?? ''
  await desk.signIn.byStartLink.mutate({ secret, email: 'owner@example.com' })
  return {
    preview: () => desk.page.preview.query({ what: 'page', page: 0, texts: {} }),
    /** Returns after how many ms the page with it is served. */
    async publish(path: Changed, value: string): Promise<number> {
      const { published } = await desk.page.show.query()
      const typed = { path, before: textAt(published, path), value }
      await desk.page.save.mutate({ writer: 'bench', texts: [typed] })
      const { stamp } = await desk.page.show.query()
      const start = performance.now()
      await desk.page.publish.mutate({ stamp })
      return performance.now() - start
    },
  }
}

function deskOf(origin: string) {
  let cookie = ''
  const link = httpLink({
    url: new URL(deskApiPath, origin),
    methodOverride: 'POST',
    async fetch(path, init) {
      const headers = { ...Object.fromEntries(new Headers(init?.headers as HeadersInit)), cookie }
      const sent = { ...init, headers: { ...headers, origin } } as RequestInit // types of a browser
      const answer = await fetch(path as string, sent)
      const set = answer.headers.getSetCookie().map((one) => one.split(';')[0])
      if (set.length > 0) cookie = set.join('; ')
      return answer
    },
  })
  return createTRPCClient<DeskRouter>({ links: [link] })
}

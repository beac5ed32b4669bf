import { setTimeout as sleep } from 'node:timers/promises'
import { median, pageRequest } from '#rigs/http/load.ts'
import type { Product } from '#rigs/product.ts'
import { takeProductDesk } from '#rigs/owner/product-desk.ts'
import { type Bench, connections, startBenchProduct } from './rig/bench.ts'
import { inMs, measured, type Row, takeRounds } from './rig/rounds.ts'
import { type Waits, waitsDuring } from './rig/waits.ts'

const everyMs = 1_000
const viewsPerSecond = 320

/** A text in no drawing, one in guide and share picture, one in the guide alone. */
const changed = ['landingPage.hero.lede', 'brand.name', 'setupGuide.subtitle'] as const
type Changed = (typeof changed)[number]

/**
 * How long a publication takes until it is served, and how long visitors wait while there is one
 * each second, beside what they wait without.
 */
export async function benchPublish({ quick, folder }: Bench): Promise<Row[]> {
  const { seconds, rounds } = quick ? { seconds: 3, rounds: 1 } : { seconds: 12, rounds: 5 }
  await using product = await startBenchProduct(folder)
  const owner = await editorOf(product)
  await owner.preview() // loads what draws, as the view Page does
  const took: Record<Changed, number[]> = {
    'landingPage.hero.lede': [],
    'brand.name': [],
    'setupGuide.subtitle': [],
  }
  let publications = 0
  async function publishEachSecond() {
    const end = performance.now() + seconds * 1000
    while (performance.now() < end) {
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
    measured(`${path}, from the press to served`, median([...took[path]]), inMs, { max: 1_000 }),
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

/** Views of the page during `work`. */
function visitorsDuring(product: Product, work: () => Promise<unknown>): Promise<Waits> {
  const request = pageRequest(product.url)
  return waitsDuring(work, product, {
    connections,
    perSecond: viewsPerSecond,
    next: () => request,
  })
}

/** Makes the bench the owner. */
async function editorOf(product: Product) {
  const { desk } = await takeProductDesk(product)
  return {
    preview: () => desk.page.preview.query({ what: 'page', page: 0, texts: {} }),
    /** Returns after how many ms the page with it is served. */
    async publish(path: Changed, value: string): Promise<number> {
      const { revision } = await desk.page.show.query()
      const typed = { path, value, revision }
      const saved = await desk.page.save.mutate({ tab: 'bench', texts: [typed] })
      const start = performance.now()
      await desk.page.publish.mutate({ revision: saved.revision })
      return performance.now() - start
    },
  }
}

import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { KitRelease } from '#content/releases.ts'
import { givenScript, givenScriptFile, ownGuide } from '#kit/given-files.ts'
import { type KitFile, kitFiles, kitReleases } from '#kit/kit-files.ts'

export interface Kit {
  list: KitFile[]
  releases: readonly KitRelease[]
  contents: Record<string, Uint8Array>
}

/** The two files we give away, and the list of them that the pages and the server show. */
export async function makeKit(): Promise<Kit> {
  const releases = kitReleases(givenScript())
  const contents = {
    'ema-crossover.pine': givenScriptFile(),
    'setup-guide.pdf': ownGuide() ?? (await makeGuideInThread()),
  }
  return { list: kitFiles(contents), releases, contents }
}

/** Typst takes about a second. The bundler works at the same time. */
async function makeGuideInThread(): Promise<Uint8Array> {
  const thread = new Worker(new URL('setup-guide-thread.ts', import.meta.url))
  const [guide]: Uint8Array[] = await once(thread, 'message')
  if (!guide) throw new Error('The thread sent no guide')
  return guide
}

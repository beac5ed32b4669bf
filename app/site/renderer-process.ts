import { setFlagsFromString } from 'node:v8'
import { ContentError } from './kit/content-error.ts'
import type { RendererAnswer, RendererRequest } from './renderer-messages.ts'
import { readSiteAssets } from './site-assets.ts'
import { createSiteWork } from './site-work.tsx'

// The process in which the server renders and draws. What draws never gives memory back, and an
// owner's file may ask for any amount: the end of a process frees all of it.

// Each of the three tools that draw gets 192 MB, in pages of 64 kB.
setFlagsFromString(`--wasm-max-mem-pages=${(192 * 1024) / 64}`)

/** Beyond it, another process does the next work. After the first guide it is about 200 MB. */
const maxBytes = 300_000_000

// The tools that draw write for programmers. Their faults come as answers.
console.error = () => {}

const work = createSiteWork(readSiteAssets(process.argv[3] ?? '')) // the client gives its folder
process.on('message', (request: RendererRequest) => {
  void answerTo(request).then((answer) => process.send?.(answer))
})
// It ends with the server, which may get the same signals and still need it.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {})
process.on('disconnect', () => process.exit())

async function answerTo({ name, values }: RendererRequest): Promise<RendererAnswer> {
  try {
    const act = work[name] as (...given: unknown[]) => Promise<unknown> // its values are of the same name
    const result = await act(...values)
    return { kind: 'result', result, isSpent: process.memoryUsage.rss() > maxBytes }
  } catch (fault) {
    if (!(fault instanceof Error)) throw fault
    const isContent = fault instanceof ContentError
    return {
      kind: 'fault',
      message: isContent ? fault.message : fault.stack!,
      isContent,
      // A tool that failed in the middle of its work may fail at whatever follows.
      isSpent: !isContent || fault.cause !== undefined,
    }
  }
}

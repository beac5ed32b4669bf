import { setFlagsFromString } from 'node:v8'
import { ContentError } from './kit/content-error.ts'
import type { RendererAnswer, RendererRequest } from './renderer-messages.ts'
import { createSiteWork } from './site-work.tsx'

// The process in which the server renders and draws. What draws never gives memory back, and an
// owner's file may ask for any amount: the end of a process frees all of it.

// One compiler for WebAssembly instead of two: less memory, and the first guide in a third of the
// time.
setFlagsFromString('--no-wasm-tier-up')
setFlagsFromString('--no-wasm-dynamic-tiering')
// Each of the three tools that draw gets 192 MB, in pages of 64 kB.
setFlagsFromString(`--wasm-max-mem-pages=${(192 * 1024) / 64}`)

/** Beyond it, another process does the next work. After the first guide it is about 200 MB. */
const maxBytes = 300_000_000

// The tools that draw write for programmers. Their faults come as answers.
console.error = () => {}

const work = createSiteWork(process.argv[3] ?? '') // the client gives the folder of the build
process.on('message', (request: RendererRequest) => {
  void answerTo(request).then((answer) => process.send?.(answer))
})
// It ends with the server, which may get the same signals and still need it.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {})
process.on('disconnect', () => process.exit())

async function answerTo(request: RendererRequest): Promise<RendererAnswer> {
  try {
    const result = await doWork(request)
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

function doWork(request: RendererRequest): unknown {
  switch (request.name) {
    case 'readFiles':
      return work.readFiles(...request.values)
    case 'render':
      return work.render(...request.values)
    case 'renderNotes':
      return work.renderNotes(...request.values)
    case 'draw':
      return work.draw(...request.values)
    case 'drawOne':
      return work.drawOne(...request.values)
    case 'warm':
      return work.warm()
  }
}

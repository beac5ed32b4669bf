import { setFlagsFromString } from 'node:v8'
import { parentPort } from 'node:worker_threads'
import { guideAsPdf } from '#kit/guide/guide-pdf.ts'

// Typst runs once. With V8's usual budget, optimizing its WebAssembly takes half of the processor time and saves none.
setFlagsFromString('--wasm-tiering-budget=1000000000')

const guide = await guideAsPdf()
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is of windows
parentPort?.postMessage(guide)

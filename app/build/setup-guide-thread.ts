import { parentPort } from 'node:worker_threads'
import { guideAsPdf } from '#kit/guide/guide-pdf.ts'

const guide = await guideAsPdf()
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is of windows
parentPort?.postMessage(guide)

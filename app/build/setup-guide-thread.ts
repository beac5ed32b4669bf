import { parentPort } from 'node:worker_threads'
import { makeSetupGuide } from '#kit/setup-guide.ts'

const guide = await makeSetupGuide()
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is of windows
parentPort?.postMessage(guide)

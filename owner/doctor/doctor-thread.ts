import { parentPort, workerData } from 'node:worker_threads'
import { projectRoot } from '#server/configuration/project-files.ts'
import { resolveTxt } from './dns/look-up-txt.ts'
import { runChecks } from './doctor.ts'

/** What a check-up is started with, and the message for each of its sections. */
export interface CheckUpOrder {
  environment: Record<string, string | undefined>
  testAddress: string | undefined
}

// Some checks read files and certificates for tens of milliseconds, which no visitor should wait for.
const { environment, testAddress } = workerData as CheckUpOrder // as owner/desk/views/check-up.ts writes it
await runChecks(
  { environment, folder: projectRoot, now: Date.now, resolveTxt },
  testAddress,
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  (name, findings) => parentPort?.postMessage({ name, findings }),
)
process.exit() // a check that was given up may still hold a connection open

import { parentPort, workerData } from 'node:worker_threads'
import { projectRoot } from '#server/project-files.ts'
import type { CheckUpOrder } from './check-up.ts'
import { runChecks } from './run-checks.ts'

// Some checks read files and certificates for tens of milliseconds, which no visitor should wait
// for.
const order: CheckUpOrder = workerData // as runCheckUp sent it
const context = { environment: process.env, folder: projectRoot, now: Date.now, ...order }
// No `await` of the module: a release bundles threads as CommonJS. The exit does not wait for a
// check that timed out.
void postResults().then(() => process.exit())

async function postResults(): Promise<void> {
  for await (const checked of runChecks(context)) parentPort?.postMessage(checked)
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Worker } from '../deliveries/worker/worker.ts'
import type { Counts } from '../statistics/counts.ts'
import type { ServerContext } from './context.ts'
import type { Repeats } from './repeat.ts'

const closeIdleEveryMs = 50

/** How long a server waits for what. A test sets them shorter. */
export interface ServerWaits {
  /** Part of graceMs in production, where a proxy has to learn not to use its connections again. */
  drainMs: number
  /** A stop may take 10 s. These are for what is in flight; the last writes come after it. */
  graceMs: number
  /** A database that does not answer the last writes takes no more of a stop than this. */
  lastWritesMs: number
  /** Another instance may have changed the settings, or published. */
  followOthersEveryMs: number
}

export const serverWaits: ServerWaits = {
  drainMs: 1_000,
  graceMs: 6_500,
  lastWritesMs: 2_000,
  followOthersEveryMs: 2_000,
}

interface RunningParts {
  app: FastifyInstance
  worker: Worker
  repeats: Repeats
  counts: Counts
  context: ServerContext
  waits: ServerWaits
}

/** Answers what is in flight, finishes the mails being sent and releases the other claims. */
export async function stopServer({
  app,
  worker,
  repeats,
  counts,
  context,
  waits: { drainMs, graceMs, lastWritesMs },
}: RunningParts): Promise<void> {
  const { database, mailer, log, renderer } = context
  const drained = context.config.production ? drain(app, drainMs) : Promise.resolve()
  const listened = drained.then(() => stopListening(app, graceMs - drainMs))
  await Promise.all([listened, worker.stop(graceMs), repeats.stop()])
  // Closing the mailer breaks off what is still in flight; the worker then hands it back.
  const handedBack = mailer.close().then(() => worker.stop(lastWritesMs))
  const last = Promise.all([counts.writeDays(database, log), handedBack, renderer.close()])
  await Promise.race([last, sleep(lastWritesMs, undefined, { ref: false })])
  await database.close()
}

/**
 * Goes on answering, and ends each connection with its answer. If it were closed while it is idle,
 * a proxy might just then send a sign-up there, which it would not send again.
 */
async function drain(app: FastifyInstance, drainMs: number): Promise<void> {
  app.server.prependListener('request', (_request, response) => {
    response.setHeader('connection', 'close')
  })
  await sleep(drainMs)
}

async function stopListening(app: FastifyInstance, graceMs: number): Promise<void> {
  // Node closes the connections that are idle now; the others are once their requests are answered.
  const idle = setInterval(() => app.server.closeIdleConnections(), closeIdleEveryMs)
  const cut = setTimeout(() => app.server.closeAllConnections(), graceMs)
  await app.close()
  clearTimeout(cut)
  clearInterval(idle)
}

import { generateLoad, type LoadRequest } from '#rigs/http/load.ts'
import type { Product } from '#rigs/product.ts'

/** How long visitors waited, in ms. */
export interface Waits {
  longest: number
  p99: number
}

export interface Visitors {
  connections: number
  /** Over all connections. */
  perSecond: number
  /** Returns the next request. */
  next: () => LoadRequest
}

/**
 * Measures visitors at a steady rate while `work` runs. A wait counts from the moment the request
 * is due.
 */
export async function waitsDuring(
  work: () => Promise<unknown>,
  { port }: Product,
  { connections, perSecond, next }: Visitors,
): Promise<Waits> {
  const load = generateLoad({ port, connections, perSecond, next: () => ({ request: next() }) })
  await work()
  await load.stop()
  return { longest: Math.max(...load.latenciesMs), p99: load.p99() }
}

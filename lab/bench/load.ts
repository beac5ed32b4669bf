import { join } from 'node:path'
import { signUpRequest } from '#rigs/load.ts'
import { anonKey } from './bench.ts'
import { startChild } from './child.ts'

export interface Load {
  port: number
  connections: number
  /** The whole request as sent; `placeForNumber` in it becomes the request's number. */
  request: string
  /** Number of the first request. */
  first: number
  count: number
}

export interface LoadResult {
  perSecond: number
  p50Ms: number
  p99Ms: number
  /** Answers other than 200. */
  refused: number
}

export const placeForNumber = '#########'

export interface LoadGenerator {
  /** Throws if one request was not answered with 200. */
  run(load: Load): Promise<LoadResult>
  [Symbol.asyncDispose](): Promise<void>
}

export function startLoadGenerator(): LoadGenerator {
  const child = startChild(join(import.meta.dirname, 'load-generator.ts'))
  return {
    async run(load) {
      const result = await child.ask<LoadResult>(load)
      if (result.refused > 0) throw new Error(`${result.refused} of ${load.count} requests were refused`)
      return result
    },
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  }
}

/** Each with an address of its own. */
export function signUpRequests(origin: string): string {
  return signUpRequest(origin, `visitor.${placeForNumber}@example.com`, anonKey)
}

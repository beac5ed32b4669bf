import { join } from 'node:path'
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
  stop(): Promise<void>
}

export function startLoadGenerator(): LoadGenerator {
  const child = startChild(join(import.meta.dirname, 'load-generator.ts'))
  return {
    async run(load) {
      const result = await child.ask<LoadResult>(load)
      if (result.refused > 0) throw new Error(`${result.refused} of ${load.count} requests were refused`)
      return result
    },
    stop: () => child.stop(),
  }
}

/** A sign-up as the page sends it, cut down to the headers that are read. */
export function signUpRequest(origin: string, path: string, anonKey: string): string {
  const body = JSON.stringify({ email: `visitor.${placeForNumber}@example.com` })
  return [
    `POST ${path} HTTP/1.1`,
    `Host: ${new URL(origin).host}`,
    `Origin: ${origin}`,
    `Authorization: Bearer ${anonKey}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n')
}

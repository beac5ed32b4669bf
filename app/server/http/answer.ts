import { createHash, timingSafeEqual } from 'node:crypto'

/** What an endpoint returns: plain values, so that it can be tested without a socket. Header names are in lower case. */
export interface Answer {
  status: number
  headers: Record<string, string>
  body: Buffer | string
}

type Headers = Readonly<Record<string, string>>

export function htmlAnswer(status: number, body: string, headers: Headers = {}): Answer {
  return answerOf('text/html; charset=utf-8', status, body, headers)
}

export function jsonAnswer(status: number, value: unknown, headers: Headers = {}): Answer {
  return answerOf('application/json', status, JSON.stringify(value), headers)
}

/** For programs and for faults that no page explains. */
export function textAnswer(status: number, sentence: string, headers: Headers = {}): Answer {
  return answerOf('text/plain; charset=utf-8', status, `${sentence}\n`, headers)
}

function answerOf(mediaType: string, status: number, body: string, headers: Headers): Answer {
  return { status, headers: { 'content-type': mediaType, 'cache-control': 'no-store', ...headers }, body }
}

/** Lets a script of `origin` read the answer. */
export function corsHeaders(origin: string): Record<string, string> {
  return { 'access-control-allow-origin': origin, vary: 'origin' }
}

export function preflightAnswer(origin: string): Answer {
  const headers = {
    ...corsHeaders(origin),
    'access-control-allow-methods': 'POST, OPTIONS',
    'access-control-allow-headers': 'authorization, apikey, content-type, x-client-info',
    'access-control-max-age': '86400',
  }
  return { status: 204, headers, body: '' }
}

/** Compares in constant time: the duration tells neither the length of the secret nor how much of it was right. */
export function isSameSecret(given: string, secret: string): boolean {
  const [a, b] = [given, secret].map((text) => createHash('sha256').update(text).digest())
  return timingSafeEqual(a!, b!)
}

export type SecretCheck = (given: string, secret: string) => Promise<boolean>

const failuresPerMinute = 5
const slowedByMs = 500

/** Compares secrets; once five were wrong within a minute, each further wrong one is answered half a second later. */
export function createSecretCheck(now: () => number, sleep: (ms: number) => Promise<unknown>): SecretCheck {
  let minute = 0
  let failures = 0
  return async (given, secret) => {
    if (isSameSecret(given, secret)) return true
    const thisMinute = Math.floor(now() / 60_000)
    failures = thisMinute === minute ? failures + 1 : 1
    minute = thisMinute
    if (failures > failuresPerMinute) await sleep(slowedByMs)
    return false
  }
}

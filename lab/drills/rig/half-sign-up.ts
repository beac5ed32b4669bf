import { once } from 'node:events'
import { request as ask } from 'node:http'
import { signUpPath } from '#contract/sign-up.ts'
import { newAddress, signUpHeaders } from './load.ts'

export interface HalfSignUp {
  address: string
  /** Sends the rest. Resolves to the status of the answer, or to undefined if the connection broke without one. */
  finish(): Promise<number | undefined>
}

/** A sign-up whose headers the product has read, since it answered 100 Continue (RFC 9110 10.1.1). */
export async function startHalfSignUp(port: number): Promise<HalfSignUp> {
  const address = newAddress()
  const body = JSON.stringify({ email: address })
  const headers = { ...signUpHeaders, 'content-length': Buffer.byteLength(body), expect: '100-continue' }
  const request = ask({ host: '127.0.0.1', port, path: signUpPath, method: 'POST', headers, agent: false })
  request.on('error', () => {}) // `once` tells of it
  const status = once(request, 'response').then(
    ([response]) => Number(response.resume().statusCode),
    () => undefined, // the connection broke
  )
  request.flushHeaders()
  await once(request, 'continue')
  request.write(body.slice(0, 8))
  return {
    address,
    finish() {
      request.end(body.slice(8))
      return status
    },
  }
}

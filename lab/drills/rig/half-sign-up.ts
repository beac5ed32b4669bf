import { once } from 'node:events'
import { connect } from 'node:net'
import { signUpPath } from '#contract/sign-up.ts'
import { newAddress } from './load.ts'

export interface HalfSignUp {
  address: string
  /** Sends the rest. Resolves to the status of the answer, or to undefined if the connection broke without one. */
  finish(): Promise<number | undefined>
}

/** A sign-up whose headers the product has read, since it answered 100 Continue (RFC 9110 10.1.1). */
export async function startHalfSignUp(port: number): Promise<HalfSignUp> {
  const address = newAddress()
  const body = JSON.stringify({ email: address })
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  let answer = ''
  socket.setEncoding('utf8')
  socket.on('data', (chunk: string) => (answer += chunk))
  socket.on('error', () => {}) // 'close' follows, and finish tells
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.write(
    [
      `POST ${signUpPath} HTTP/1.1`,
      `host: 127.0.0.1:${port}`,
      'authorization: Bearer starter-bot-development-key',
      'content-type: application/json',
      `content-length: ${Buffer.byteLength(body)}`,
      'expect: 100-continue',
      'connection: close',
      `\r\n${body.slice(0, 8)}`,
    ].join('\r\n'),
  )
  while (!answer.startsWith('HTTP/1.1 100 ')) await once(socket, 'data')
  return {
    address,
    async finish() {
      if (!socket.destroyed) socket.write(body.slice(8))
      await closed
      const [, status] = /\r\n\r\nHTTP\/1\.1 (\d{3})/.exec(answer) ?? []
      return status === undefined ? undefined : Number(status)
    },
  }
}

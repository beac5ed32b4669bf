import { once } from 'node:events'
import { connect } from 'node:net'

interface RawAnswer {
  /** Empty: the connection ended without an answer. */
  statuses: number[]
  text: string
  /** True if the server ended the connection. */
  ended: boolean
}

const firstByteWithinMs = 60_000

/**
 * Sends bytes as they stand and reads until the server ends the connection, or sends nothing more
 * for `quietMs`.
 */
export async function sendRaw(
  port: number,
  bytes: string | Buffer,
  quietMs = 150,
): Promise<RawAnswer> {
  const socket = connect(port, '127.0.0.1')
  const received: Buffer[] = []
  let ended = true
  socket.setTimeout(firstByteWithinMs, () => {
    ended = false
    socket.destroy()
  })
  socket.on('data', (chunk: Buffer) => {
    received.push(chunk)
    socket.setTimeout(quietMs)
  })
  // Reset after an answer, or refused while we still write: both are ends.
  socket.on('error', () => {})
  const closed = new Promise((resolve) => socket.once('close', resolve))
  await once(socket, 'connect')
  socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes)
  await closed
  const text = Buffer.concat(received).toString('latin1')
  const all = Array.from(text.matchAll(/^HTTP\/1\.1 (\d{3}) /gm), ([, status]) => Number(status))
  return { statuses: all.filter((status) => status >= 200), text, ended }
}

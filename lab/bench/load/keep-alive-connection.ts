import { connect } from 'node:net'

/** What is asked next; undefined when nothing is left. */
export type NextRequest = () => Buffer | undefined

/**
 * Sends requests over one connection, each after the answer to the one before, and resolves after the last answer. Knows as
 * much of HTTP as our servers answer here: Content-Length, nothing in chunks.
 */
export function keepAsking(
  port: number,
  next: NextRequest,
  note: (ms: number, status: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let sentAt = 0
    let status = 0
    let missingBytes = 0
    let isLast = false
    let held: Buffer | undefined

    const send = () => {
      const request = next()
      if (request === undefined) {
        resolve()
        socket.destroy()
        return
      }
      sentAt = performance.now()
      socket.write(request)
    }

    socket.on('connect', send)
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('The server closed a connection')))
    socket.on('data', (chunk: Buffer) => {
      if (missingBytes > 0) missingBytes -= chunk.length
      else {
        const bytes: Buffer = held ? Buffer.concat([held, chunk]) : chunk
        const headEnd = bytes.indexOf('\r\n\r\n')
        held = headEnd === -1 ? bytes : undefined
        if (held) return
        const head = bytes.toString('latin1', 0, headEnd)
        status = Number(head.slice(9, 12))
        isLast = /\r\nconnection: close/i.test(head)
        const bodyLength = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
        missingBytes = bodyLength - (bytes.length - headEnd - 4)
      }
      if (missingBytes > 0) return
      note(performance.now() - sentAt, status)
      if (!isLast) return send()
      // The server ends a connection after so many requests.
      resolve(keepAsking(port, next, note))
      socket.destroy()
    })
  })
}

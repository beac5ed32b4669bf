import { createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { listenHere } from '#rigs/listening.ts'

const endOfMail = Buffer.from('\r\n.\r\n')

/** An SMTP server that accepts every mail, so many a second, and keeps only their number. */
export async function startSink(mailsPerSecond: number) {
  let mails = 0
  let freeAt = performance.now()
  const server = createServer((socket) => serve(socket, takeMail))
  const port = await listenHere(server)

  /** Resolves when the mail may be answered. */
  async function takeMail() {
    mails += 1
    freeAt = Math.max(freeAt, performance.now()) + 1000 / mailsPerSecond
    await sleep(Math.max(0, freeAt - performance.now()))
  }

  return {
    url: `smtp://127.0.0.1:${port}`,
    /** Returns the rate since the call, in mails a second. */
    measure() {
      const [before, startedAt] = [mails, performance.now()]
      return () => (mails - before) / ((performance.now() - startedAt) / 1000)
    },
    [Symbol.asyncDispose]: async () => void server.close(),
  }
}

/** Each command has its own packet, because no pipelining is offered. */
function serve(socket: Socket, takeMail: () => Promise<void>): void {
  let inMail = false
  let tail = Buffer.alloc(0)
  socket.setNoDelay(true)
  socket.on('error', () => {})
  socket.write('220 sink\r\n')
  socket.on('data', (chunk: Buffer) => {
    if (inMail) {
      tail = Buffer.concat([tail, chunk.subarray(-5)]).subarray(-5)
      if (!tail.equals(endOfMail)) return
      inMail = false
      return void takeMail().then(() => socket.write('250 taken\r\n'))
    }
    const command = chunk.toString('latin1').toUpperCase()
    inMail = command.startsWith('DATA')
    if (command.startsWith('QUIT')) socket.end('221 bye\r\n')
    else socket.write(inMail ? '354 go on\r\n' : '250 ok\r\n')
  })
}

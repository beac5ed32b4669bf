import { createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { listenHere } from '#rigs/listening.ts'

export type Sink = Awaited<ReturnType<typeof startSink>>

const endOfMail = Buffer.from('\r\n.\r\n')

/** An SMTP server that accepts every mail and keeps only the number of mails, their recipients and the time they took. */
export async function startSink() {
  let mails = 0
  let [firstAt, lastAt] = [0, 0]
  let recipients = new Set<string>()
  const server = createServer((socket) => serve(socket, onCommand, onMail))
  const port = await listenHere(server)

  function onCommand(command: string) {
    if (command.startsWith('MAIL')) firstAt ||= performance.now()
    if (command.startsWith('RCPT')) recipients.add(command)
  }

  function onMail() {
    mails += 1
    lastAt = performance.now()
  }

  return {
    url: `smtp://127.0.0.1:${port}`,
    mails: () => mails,
    /** Forgets earlier mails. */
    reset() {
      mails = 0
      firstAt = 0
      recipients = new Set()
    },
    /** Waits for that many mails. Fewer recipients than mails: somebody got two. */
    async arrival(count: number) {
      while (mails < count) await sleep(1)
      return { mails, recipients: recipients.size, seconds: (lastAt - firstAt) / 1000 }
    },
    [Symbol.asyncDispose]: async () => void server.close(),
  }
}

/** Each command has its own packet, because no pipelining is offered. */
function serve(socket: Socket, onCommand: (command: string) => void, onMail: () => void): void {
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
      onMail()
      return void socket.write('250 taken\r\n')
    }
    const command = chunk.toString('latin1').toUpperCase()
    onCommand(command)
    inMail = command.startsWith('DATA')
    if (command.startsWith('QUIT')) socket.end('221 bye\r\n')
    else socket.write(inMail ? '354 go on\r\n' : '250 ok\r\n')
  })
}

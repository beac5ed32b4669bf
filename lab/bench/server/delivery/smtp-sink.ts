// An SMTP server that accepts every mail and keeps only the time of the first and the last.
import { createServer, type Socket } from 'node:net'
import { listenHere } from '#rigs/listening.ts'
import { answerParent } from '../../child.ts'

export interface SinkQuestion {
  /** Forgets earlier mails. Without it the answer waits for `until` mails. */
  reset?: boolean
  until?: number
}

export interface SinkAnswer {
  port: number
  mails: number
  /** The number of different recipients, which shows if a mail came twice. */
  recipients: number
  seconds: number
}

const endOfMail = Buffer.from('\r\n.\r\n')
let mails = 0
let firstAt = 0
let lastAt = 0
let recipients = new Set<string>()
let look = () => {}

const port = await listenHere(createServer(serve))

answerParent(async ({ reset, until = 0 }: SinkQuestion): Promise<SinkAnswer> => {
  if (reset) {
    mails = 0
    firstAt = 0
    recipients = new Set()
  }
  await new Promise<void>((resolve) => {
    look = () => mails >= until && resolve()
    look()
  })
  return { port, mails, recipients: recipients.size, seconds: (lastAt - firstAt) / 1000 }
})

function serve(socket: Socket): void {
  let inMail = false
  let tail = Buffer.alloc(0)
  socket.setNoDelay(true)
  socket.on('error', () => {})
  socket.write('220 sink\r\n')
  socket.on('data', (chunk: Buffer) => {
    if (!inMail) {
      inMail = answerCommand(socket, chunk.toString('latin1'))
      return
    }
    tail = Buffer.concat([tail, chunk.subarray(-5)]).subarray(-5)
    if (!tail.equals(endOfMail)) return
    inMail = false
    mails += 1
    lastAt = performance.now()
    socket.write('250 taken\r\n')
    look()
  })
}

/** Returns true if a mail follows. Each command has its own packet, because no pipelining is offered. */
function answerCommand(socket: Socket, command: string): boolean {
  const verb = command.slice(0, 4).toUpperCase()
  if (verb === 'MAIL') firstAt ||= performance.now()
  if (verb === 'RCPT') recipients.add(command)
  if (verb === 'DATA') socket.write('354 go on\r\n')
  else if (verb === 'QUIT') socket.end('221 bye\r\n')
  else socket.write('250 ok\r\n')
  return verb === 'DATA'
}

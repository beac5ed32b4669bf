// A real SMTP server in a process of its own: it outlives every kill, and takes no time from who counts.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import { type FromMailbox, keptReply, type MailboxBehaviour, type ToMailbox } from './mailbox-talk.ts'

type Continue = (fault?: Error | null, message?: string) => void

const lookEveryMs = 5
let behaviour: MailboxBehaviour = { does: 'accept' }
let keepRaw = false
let port = 0
let kept = 0
let server: SMTPServer | undefined
/** By the client's port, which a session knows too. */
const sockets = new Map<number, Socket>()
const waitingForIdle: number[] = []

process.on('message', (message: ToMailbox) => void hear(message))
process.on('disconnect', () => process.exit(0))
await open()
tell({ kind: 'open', port })

async function hear(message: ToMailbox): Promise<void> {
  if (message.kind === 'tell-when-idle') {
    waitingForIdle.push(message.ticket)
    return tellIfIdle()
  }
  ;({ behaviour, keepRaw } = message)
  // A fault begins for those who are connected, too.
  for (const socket of sockets.values()) if (behaviour.does !== 'accept') socket.destroy()
  if (behaviour.does === 'be-down') await close()
  else if (!server) await open()
  tell({ kind: 'behaving' })
}

async function open(): Promise<void> {
  server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    onConnect: (_session, go) => passStage(behaviour, 'greeting', '', go),
    onRcptTo: ({ address }, _session, go) => passStage(behaviour, 'recipient', address, go),
    onData: (stream, session, go) => void takeData(stream, session, go),
  })
  server.on('error', () => {}) // a client that hangs up is what drills are about
  server.server.on('connection', keepSocket)
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  const address = server.server.address()
  if (address !== null && typeof address === 'object') port = address.port
}

async function close(): Promise<void> {
  const closing = server
  server = undefined
  if (closing) await new Promise<void>((resolve) => closing.close(() => resolve()))
}

function keepSocket(socket: Socket): void {
  const key = socket.remotePort ?? 0
  sockets.set(key, socket)
  socket.once('close', () => {
    sockets.delete(key)
    tellIfIdle()
  })
}

function passStage(
  now: MailboxBehaviour,
  stage: 'greeting' | 'recipient' | 'data',
  recipient: string,
  go: Continue,
): void {
  if (now.does === 'stay-mute' && now.at === stage) return
  if (now.does !== 'answer' || now.to !== stage) return stage === 'data' ? go(null, keptReply) : go()
  tell({ kind: 'refused' })
  // Real servers quote the address, and that must not reach a log.
  go(Object.assign(new Error(`<${recipient}> refused by the drill`), { responseCode: now.code }))
}

async function takeData(stream: SMTPServerDataStream, session: SMTPServerSession, go: Continue) {
  // One for the whole mail: an order that comes meanwhile must not answer 250 to what was not kept.
  const now = behaviour
  const { does } = now
  const cutLine = () => sockets.get(session.remotePort)?.destroy()
  if (does === 'cut-in-data') stream.once('data', cutLine)
  const bytes = await readWhole(stream)
  if (!bytes || does === 'cut-in-data') return
  while (isFull()) {
    await sleep(lookEveryMs)
    if (!sockets.has(session.remotePort)) return
  }
  if (does !== 'answer') keep(bytes, session, does === 'accept')
  if (does === 'cut-before-answer') return cutLine()
  if (now.does === 'accept' && now.afterMs) await sleep(now.afterMs)
  passStage(now, 'data', session.envelope.rcptTo[0]?.address ?? '', go)
}

function isFull(): boolean {
  return behaviour.does === 'accept' && kept >= (behaviour.most ?? Infinity)
}

/** Undefined: the client was gone before its final dot. */
async function readWhole(stream: SMTPServerDataStream): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of stream) chunks.push(chunk)
    return Buffer.concat(chunks)
  } catch {
    return undefined
  }
}

function keep(bytes: Buffer, { envelope }: SMTPServerSession, answered: boolean): void {
  kept += 1
  const raw = bytes.toString('latin1')
  const mail = {
    messageId: /^message-id:\s*(\S+)/im.exec(raw)?.[1] ?? '',
    to: envelope.rcptTo.map((recipient) => recipient.address).join(' '),
    sha256: createHash('sha256').update(bytes).digest('hex'),
    ...{ answered, ...(keepRaw && { raw }) },
  }
  tell({ kind: 'mail', mail })
}

function tellIfIdle(): void {
  if (sockets.size > 0) return
  for (const ticket of waitingForIdle.splice(0)) tell({ kind: 'idle', ticket })
}

function tell(message: FromMailbox): void {
  process.send?.(message)
}

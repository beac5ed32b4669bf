import { once } from 'node:events'
import type { Socket } from 'node:net'
import {
  SMTPServer,
  type SMTPServerDataStream,
  type SMTPServerOptions,
  type SMTPServerSession,
} from 'smtp-server'

/** What the peer does next. `cut-before-answer`: it has the whole mail, and the line breaks before its 250. */
export type SmtpBehaviour =
  | { does: 'accept' }
  | { does: 'answer'; code: number; to: 'greeting' | 'sender' | 'recipient' | 'data' }
  | { does: 'stay-mute'; at: 'greeting' | 'recipient' | 'data' }
  | { does: 'cut-in-data' }
  | { does: 'cut-before-answer' }

export interface ReceivedMail {
  from: string
  to: string[]
  raw: Buffer
  receivedAt: number
}

export interface SmtpInbox {
  url: string
  port: number
  /** In order of arrival, those whose line broke before the 250 too: a real server may have kept them. */
  mails: ReceivedMail[]
  connections(): number
  /** By recipient from RCPT on, so that one of many can be poisoned; '' before. */
  behave(behaviour: SmtpBehaviour | ((recipient: string) => SmtpBehaviour)): void
  /** Resolves once so many mails (to this address, if given) have come; rejects after 10 s. */
  arrival(count: number, address?: string): Promise<ReceivedMail[]>
  close(): Promise<void>
}

type Continue = (fault?: Error | null) => void
type Stage = 'greeting' | 'sender' | 'recipient' | 'data'

interface Peer {
  behaviourFor: (recipient: string) => SmtpBehaviour
  mails: ReceivedMail[]
  /** By the client's port, which a session knows too. */
  sockets: Map<number, Socket>
  lookers: Set<() => void>
}

const arrivesWithinMs = 10_000

/**
 * A real SMTP server on this machine, for tests. Port 0 finds a free one. Without `options` it knows neither sign-in nor
 * encryption.
 */
export async function startSmtpInbox(port = 0, options: SMTPServerOptions = {}): Promise<SmtpInbox> {
  const peer: Peer = { behaviourFor: accept, mails: [], sockets: new Map(), lookers: new Set() }
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    onConnect: (_session, go) => passStage(peer, 'greeting', '', go),
    onMailFrom: (_sender, _session, go) => passStage(peer, 'sender', '', go),
    onRcptTo: (recipient, _session, go) => passStage(peer, 'recipient', recipient.address, go),
    onData: (stream, session, go) => takeData(peer, stream, session, go),
    ...options,
  })
  // A client that hangs up is nothing to report.
  server.on('error', () => {})
  server.server.on('connection', (socket: Socket) => keepSocket(peer, socket))
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  const address = server.server.address()
  if (address === null || typeof address === 'string') throw new Error('The SMTP peer has no port')

  return {
    url: `smtp://127.0.0.1:${address.port}`,
    port: address.port,
    mails: peer.mails,
    connections: () => peer.sockets.size,
    behave(behaviour) {
      peer.behaviourFor = typeof behaviour === 'function' ? behaviour : () => behaviour
    },
    arrival: (count, to) => arrivalOf(peer, count, to),
    close() {
      // Node 26.10 dies (SIGSEGV) when a socket is destroyed below its TLS: there, the server ends them by itself.
      if (!options.key) for (const socket of peer.sockets.values()) socket.destroy()
      return new Promise((resolve) => {
        server.close(() => resolve())
      })
    },
  }
}

function accept(): SmtpBehaviour {
  return { does: 'accept' }
}

function keepSocket({ sockets }: Peer, socket: Socket) {
  const key = socket.remotePort ?? 0
  sockets.set(key, socket)
  socket.once('close', () => sockets.delete(key))
}

function passStage({ behaviourFor }: Peer, stage: Stage, recipient: string, go: Continue) {
  const behaviour = behaviourFor(recipient)
  if (behaviour.does === 'stay-mute' && behaviour.at === stage) return
  if (behaviour.does === 'answer' && behaviour.to === stage)
    go(Object.assign(new Error('Refused by the test'), { responseCode: behaviour.code }))
  else go()
}

function takeData(peer: Peer, stream: SMTPServerDataStream, session: SMTPServerSession, go: Continue) {
  const chunks: Buffer[] = []
  const recipient = session.envelope.rcptTo[0]?.address ?? ''
  const { does } = peer.behaviourFor(recipient)
  const cutLine = () => peer.sockets.get(session.remotePort)?.destroy()
  if (does === 'cut-in-data') stream.once('data', cutLine)
  stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  stream.on('end', () => {
    if (does === 'cut-in-data') return
    if (does === 'accept' || does === 'cut-before-answer') keepMail(peer, session, Buffer.concat(chunks))
    if (does === 'cut-before-answer') cutLine()
    else passStage(peer, 'data', recipient, go)
  })
}

function keepMail({ mails, lookers }: Peer, { envelope }: SMTPServerSession, raw: Buffer) {
  const from = envelope.mailFrom ? envelope.mailFrom.address : ''
  const to = envelope.rcptTo.map((recipient) => recipient.address)
  mails.push({ from, to, raw, receivedAt: Date.now() })
  for (const look of lookers) look()
}

async function arrivalOf({ mails, lookers }: Peer, count: number, to?: string): Promise<ReceivedMail[]> {
  const arrived = () => (to === undefined ? [...mails] : mails.filter((mail) => mail.to.includes(to)))
  const { promise, resolve, reject } = Promise.withResolvers<ReceivedMail[]>()
  const look = () => arrived().length >= count && resolve(arrived())
  const tooLate = () =>
    reject(new Error(`${arrived().length} of ${count} mails came, of ${mails.length} in all`))
  const timer = setTimeout(tooLate, arrivesWithinMs)
  lookers.add(look)
  look()
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    lookers.delete(look)
  }
}

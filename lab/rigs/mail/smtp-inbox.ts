import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  SMTPServer,
  type SMTPServerDataStream,
  type SMTPServerOptions,
  type SMTPServerSession,
} from 'smtp-server'

/** The peer's next behaviour. A peer that is mute after the mail, or cuts the line before its answer, has kept the mail. */
export type SmtpBehaviour =
  /** `most`: of all the mails it ever kept; later ones wait for their answer until more are allowed. */
  | { does: 'accept'; afterMs?: number; most?: number }
  | { does: 'answer'; code: number; to: 'greeting' | 'sender' | 'recipient' | 'data'; words?: string }
  | { does: 'stay-mute'; at: 'greeting' | 'recipient' | 'data' }
  | { does: 'cut-in-data' }
  | { does: 'cut-before-answer' }

export interface ReceivedMail {
  from: string
  to: string[]
  messageId: string
  raw: Buffer
  /** False: the line broke, or the peer stayed mute, before its 250. */
  answered: boolean
}

export interface SmtpInbox {
  url: string
  port: number
  /** In order of arrival, unanswered ones too: a real server may have kept them. */
  mails: ReceivedMail[]
  /** The number of refusals it sent. */
  refusals(): number
  /** By recipient from RCPT on, so that one of many can be poisoned; '' before. */
  behave(behaviour: SmtpBehaviour | ((recipient: string) => SmtpBehaviour)): void
  /** Ends the open connections, so that a failure affects those too. */
  cutConnections(): void
  /** Resolves once that many mails (to this address, if given) have come; rejects after `withinMs`. */
  arrival(count: number, address?: string, withinMs?: number): Promise<ReceivedMail[]>
  /** Resolves once no client is connected. Every mail under way has then been accepted or dropped, so `mails` is complete. */
  idle(): Promise<void>
  close(): Promise<void>
  /** Listens again on the same port after `close`. */
  reopen(): Promise<void>
}

type Continue = (fault?: Error | null, message?: string) => void
type Stage = 'greeting' | 'sender' | 'recipient' | 'data'

interface Peer {
  behaviourFor: (recipient: string) => SmtpBehaviour
  mails: ReceivedMail[]
  refusals: number
  /** By the client's port, which a session knows too. */
  sockets: Map<number, Socket>
  lookers: Set<() => void>
}

/** The words of its 250, by which a hook in the product knows it among all that comes over a socket. */
export const keptReply = 'Kept by the peer'
const arrivesWithinMs = 10_000
const lookEveryMs = 5

/**
 * A real SMTP server on this machine. Port 0 finds a free one. Without `options` it knows neither sign-in nor encryption.
 */
export async function startSmtpInbox(port = 0, options: SMTPServerOptions = {}): Promise<SmtpInbox> {
  const peer = makePeer()
  let server = await listen(peer, port, options)
  const address = server.server.address()
  if (address === null || typeof address === 'string') throw new Error('The SMTP peer has no port')
  // Node 26.10 dies (SIGSEGV) when a socket is destroyed below its TLS: there, the server ends them.
  const cutConnections = () => {
    if (!options.key) for (const socket of peer.sockets.values()) socket.destroy()
  }

  return {
    url: `smtp://127.0.0.1:${address.port}`,
    port: address.port,
    mails: peer.mails,
    refusals: () => peer.refusals,
    behave(behaviour) {
      peer.behaviourFor = typeof behaviour === 'function' ? behaviour : () => behaviour
    },
    cutConnections,
    arrival: (count, to, withinMs = arrivesWithinMs) => arrivalOf(peer, count, to, withinMs),
    async idle() {
      while (peer.sockets.size > 0) await sleep(lookEveryMs)
    },
    close() {
      cutConnections()
      return new Promise((resolve) => {
        server.close(() => resolve())
      })
    },
    async reopen() {
      server = await listen(peer, address.port, options)
    },
  }
}

function makePeer(): Peer {
  return {
    behaviourFor: () => ({ does: 'accept' }),
    mails: [],
    refusals: 0,
    sockets: new Map(),
    lookers: new Set(),
  }
}

async function listen(peer: Peer, port: number, options: SMTPServerOptions): Promise<SMTPServer> {
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    onConnect: (_session, go) => passStage(peer, 'greeting', '', go),
    onMailFrom: (_sender, _session, go) => passStage(peer, 'sender', '', go),
    onRcptTo: (recipient, _session, go) => passStage(peer, 'recipient', recipient.address, go),
    onData: (stream, session, go) => void takeData(peer, stream, session, go),
    ...options,
  })
  // A client may hang up at any time.
  server.on('error', () => {})
  server.server.on('connection', (socket: Socket) => keepSocket(peer, socket))
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  return server
}

function keepSocket({ sockets }: Peer, socket: Socket) {
  const key = socket.remotePort ?? 0
  sockets.set(key, socket)
  socket.once('close', () => sockets.delete(key))
}

function passStage(
  peer: Peer,
  stage: Stage,
  recipient: string,
  go: Continue,
  behaviour = peer.behaviourFor(recipient),
) {
  if (behaviour.does === 'stay-mute' && behaviour.at === stage) return
  if (behaviour.does !== 'answer' || behaviour.to !== stage)
    return stage === 'data' ? go(null, keptReply) : go()
  peer.refusals += 1
  const { code, words = 'Refused by the test' } = behaviour
  go(Object.assign(new Error(words), { responseCode: code }))
}

async function takeData(peer: Peer, stream: SMTPServerDataStream, session: SMTPServerSession, go: Continue) {
  const recipient = session.envelope.rcptTo[0]?.address ?? ''
  // One for the whole mail: a change meanwhile must not answer 250 to a mail that was not kept.
  const behaviour = peer.behaviourFor(recipient)
  const { does } = behaviour
  const cutLine = () => peer.sockets.get(session.remotePort)?.destroy()
  if (does === 'cut-in-data') stream.once('data', cutLine)
  const raw = await readWhole(stream)
  if (!raw || does === 'cut-in-data') return
  while (isFull(peer, recipient)) {
    await sleep(lookEveryMs)
    if (!peer.sockets.has(session.remotePort)) return
  }
  if (does !== 'answer') keepMail(peer, session, raw, does === 'accept')
  if (does === 'cut-before-answer') return cutLine()
  if (does === 'accept' && behaviour.afterMs) await sleep(behaviour.afterMs)
  passStage(peer, 'data', recipient, go, behaviour)
}

function isFull({ behaviourFor, mails }: Peer, recipient: string): boolean {
  const now = behaviourFor(recipient)
  return now.does === 'accept' && mails.length >= (now.most ?? Infinity)
}

/** Resolves to undefined if the client was gone before its final dot. */
async function readWhole(stream: SMTPServerDataStream): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of stream) chunks.push(chunk)
    return Buffer.concat(chunks)
  } catch {
    return undefined
  }
}

function keepMail({ mails, lookers }: Peer, { envelope }: SMTPServerSession, raw: Buffer, answered: boolean) {
  mails.push({
    from: envelope.mailFrom ? envelope.mailFrom.address : '',
    to: envelope.rcptTo.map((recipient) => recipient.address),
    messageId: /^message-id:\s*(\S+)/im.exec(raw.toString('latin1'))?.[1] ?? '',
    raw,
    answered,
  })
  for (const look of lookers) look()
}

async function arrivalOf(
  { mails, lookers }: Peer,
  count: number,
  to: string | undefined,
  withinMs: number,
): Promise<ReceivedMail[]> {
  const arrived = () => (to === undefined ? [...mails] : mails.filter((mail) => mail.to.includes(to)))
  const { promise, resolve, reject } = Promise.withResolvers<ReceivedMail[]>()
  const look = () => arrived().length >= count && resolve(arrived())
  const tooLate = () =>
    reject(new Error(`${arrived().length} of ${count} mails came, of ${mails.length} in all`))
  const timer = setTimeout(tooLate, withinMs)
  lookers.add(look)
  look()
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    lookers.delete(look)
  }
}

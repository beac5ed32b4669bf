import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  SMTPServer,
  type SMTPServerDataStream,
  type SMTPServerOptions,
  type SMTPServerSession,
} from 'smtp-server'
import { eventually } from '../eventually.ts'

/**
 * The peer's next behaviour. A peer that is mute after the mail, or cuts the line before its
 * answer, has kept the mail. `words`: with an enhanced code or without.
 */
export type SmtpBehaviour =
  | { does: 'accept'; afterMs?: number }
  | { does: 'answer'; code: number; to: Stage; words?: string }
  | { does: 'stay-mute'; at: Stage }
  | { does: 'cut-in-data' }
  | { does: 'cut-before-answer' }

export type Stage = 'greeting' | 'ehlo' | 'auth' | 'sender' | 'recipient' | 'data'
type Continue = (fault?: Error | null) => void

export interface ReceivedMail {
  from: string
  to: string[]
  messageId: string
  raw: Buffer
  /** False: the line broke, or the peer stayed mute, before its 250. */
  answered: boolean
}

const lookEveryMs = 5

/**
 * A real SMTP server on this machine. Port 0 finds a free one. Without `options` it takes any
 * password, and knows no encryption.
 */
export async function startSmtpInbox(
  port = 0,
  options: SMTPServerOptions = {},
): Promise<SmtpInbox> {
  const inbox = new SmtpInbox(port, options)
  await inbox.reopen()
  return inbox
}

export class SmtpInbox {
  port: number
  /** The number of refusals it sent. */
  refusals = 0
  /** The number of times that it stayed mute. */
  silences = 0
  /** In order of arrival, unanswered ones too: a real server may have kept them. */
  readonly mails: ReceivedMail[] = []
  #options: SMTPServerOptions
  /** By the client's port, which a session knows too. */
  readonly #sockets = new Map<number, Socket>()
  #server: SMTPServer | undefined
  #behaviourFor: (recipient: string) => SmtpBehaviour = () => ({ does: 'accept' })

  constructor(port: number, options: SMTPServerOptions) {
    this.port = port
    this.#options = options
  }

  get url(): string {
    return `smtp://127.0.0.1:${this.port}`
  }

  /** By recipient from RCPT on, so that one of many can be poisoned; '' before. */
  behave(behaviour: SmtpBehaviour | ((recipient: string) => SmtpBehaviour)): void {
    this.#behaviourFor = typeof behaviour === 'function' ? behaviour : () => behaviour
  }

  /** Resolves once that many mails (to this address, if given) have come. */
  async arrival(count: number, address?: string): Promise<ReceivedMail[]> {
    const arrived = () =>
      this.mails.filter(({ to }) => address === undefined || to.includes(address))
    const what = () => `${count} mails; ${arrived().length} came, of ${this.mails.length} in all`
    await eventually(what, () => arrived().length >= count)
    return arrived()
  }

  /**
   * Resolves once no client is connected. Every mail under way has then been accepted or dropped,
   * so `mails` is complete.
   */
  async idle(): Promise<void> {
    // A socket below STARTTLS never says that it is closed; smtp-server knows.
    const isBusy = () => this.#sockets.size > 0 && this.#server!.connections.size > 0
    while (isBusy()) await sleep(lookEveryMs)
  }

  /** Ends the open connections, so that a failure affects those too. */
  cutConnections(): void {
    // Node 26.10 dies (SIGSEGV) when a socket is destroyed below its TLS: there, the server ends
    // them.
    if (!this.#options.key) for (const socket of this.#sockets.values()) socket.destroy()
  }

  close(): Promise<void> {
    this.cutConnections()
    return new Promise((resolve) => {
      this.#server?.close(resolve)
    })
  }

  /** Listens on the same port with other options. */
  async restart(options: SMTPServerOptions): Promise<void> {
    await this.close()
    this.#options = options
    await this.reopen()
  }

  /** Listens, after `close` on the same port again. */
  async reopen(): Promise<void> {
    const server = new SMTPServer({
      disabledCommands: ['STARTTLS'],
      authOptional: true,
      disableReverseLookup: true,
      logger: false,
      onConnect: ({ id }, go) => {
        this.#watchEhlo(server, id)
        this.#pass('greeting', this.#behaviourFor(''), go)
      },
      onAuth: ({ username }, _session, done) =>
        this.#pass('auth', this.#behaviourFor(''), (fault) =>
          fault ? done(fault) : done(null, { user: username }),
        ),
      onMailFrom: (_sender, _session, go) => this.#pass('sender', this.#behaviourFor(''), go),
      onRcptTo: ({ address }, _session, go) =>
        this.#pass('recipient', this.#behaviourFor(address), go),
      onData: (stream, session, go) => void this.#takeMail(stream, session, go),
      ...this.#options,
    })
    server.on('error', () => {}) // a client may hang up at any time
    server.server.on('connection', (socket: Socket) => {
      const key = socket.remotePort ?? 0
      this.#sockets.set(key, socket)
      socket.once('close', () => this.#sockets.delete(key))
    })
    server.listen(this.port, '127.0.0.1')
    await once(server.server, 'listening')
    this.port = (server.server.address() as AddressInfo).port // a string only for a pipe
    this.#server = server
  }

  /** smtp-server has no option for the answer to EHLO. */
  #watchEhlo(server: SMTPServer, id: string): void {
    const connection = server.connections.values().find((one) => one.id === id)
    if (!connection) return
    const answer = connection.handler_EHLO.bind(connection)
    connection.handler_EHLO = (command, done) => {
      this.#pass('ehlo', this.#behaviourFor(''), (fault) => {
        if (!fault) return answer(command, done)
        connection.send('responseCode' in fault ? Number(fault.responseCode) : 500, fault.message)
        done()
      })
    }
  }

  #pass(stage: Stage, behaviour: SmtpBehaviour, go: Continue): void {
    if (behaviour.does === 'stay-mute' && behaviour.at === stage) {
      this.silences += 1
      return
    }
    if (behaviour.does !== 'answer' || behaviour.to !== stage) return go()
    this.refusals += 1
    const { code, words = 'Refused by the test' } = behaviour
    go(Object.assign(new Error(words), { responseCode: code }))
  }

  async #takeMail(
    stream: SMTPServerDataStream,
    session: SMTPServerSession,
    go: Continue,
  ): Promise<void> {
    const recipient = session.envelope.rcptTo[0]?.address ?? ''
    // One for the whole mail: a change meanwhile must not answer 250 to a mail that was not kept.
    const behaviour = this.#behaviourFor(recipient)
    const { does } = behaviour
    const cutLine = () => this.#sockets.get(session.remotePort)?.destroy()
    if (does === 'cut-in-data') stream.once('data', cutLine)
    const raw = await buffer(stream).catch(() => undefined) // the client was gone before its final dot
    if (!raw || does === 'cut-in-data') return
    if (does !== 'answer') this.#keep(session, raw, does === 'accept')
    if (does === 'cut-before-answer') return void cutLine()
    if (does === 'accept' && behaviour.afterMs) await sleep(behaviour.afterMs)
    this.#pass('data', behaviour, go)
  }

  #keep({ envelope }: SMTPServerSession, raw: Buffer, answered: boolean): void {
    this.mails.push({
      from: envelope.mailFrom ? envelope.mailFrom.address : '',
      to: envelope.rcptTo.map(({ address }) => address),
      messageId: /^message-id:\s*(\S+)/im.exec(raw.toString('latin1'))?.[1] ?? '',
      raw,
      answered,
    })
  }
}

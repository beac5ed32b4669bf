import { fork } from 'node:child_process'
import { join } from 'node:path'
import type { FromMailbox, KeptMail, MailboxBehaviour, ToMailbox } from './mailbox-talk.ts'

export interface Mailbox {
  /** For SMTP_URL. */
  url: string
  /** In order of arrival. */
  mails: KeptMail[]
  /** How often it refused with a code. */
  refusals(): number
  behave(behaviour: MailboxBehaviour, keepRaw?: boolean): Promise<void>
  /** Resolves once it has so many mails. */
  arrival(count: number): Promise<void>
  /** Resolves once nobody is connected: what was under way when a client died has been taken or dropped. */
  idle(): Promise<void>
  close(): void
}

const waitsAtMostMs = 120_000

/** Starts an SMTP server in a process of its own. */
export async function openMailbox(): Promise<Mailbox> {
  const child = fork(join(import.meta.dirname, 'mailbox-process.ts'))
  const mails: KeptMail[] = []
  let refusals = 0
  let tickets = 0
  const listeners = new Set<(message: FromMailbox) => void>()
  const endings = new Set<() => void>()
  child.once('exit', () => {
    for (const end of endings) end()
  })
  child.on('message', (message: FromMailbox) => {
    if (message.kind === 'mail') mails.push(message.mail)
    if (message.kind === 'refused') refusals += 1
    for (const listener of listeners) listener(message)
  })

  function until(isIt: (message: FromMailbox | undefined) => boolean, what: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const give = (settle: () => void) => {
        clearTimeout(timer)
        listeners.delete(listener)
        endings.delete(inVain)
        settle()
      }
      const inVain = () => give(() => reject(new Error(`The mailbox waited in vain ${what}`)))
      const listener = (message: FromMailbox | undefined) => isIt(message) && give(resolve)
      const timer = setTimeout(inVain, waitsAtMostMs)
      endings.add(inVain)
      listeners.add(listener)
      listener(undefined)
    })
  }

  let port = 0
  await until((message) => {
    if (message?.kind === 'open') port = message.port
    return port > 0
  }, 'to open')
  const tell = (message: ToMailbox) => void child.send(message)
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    refusals: () => refusals,
    async behave(behaviour, keepRaw = false) {
      const done = until((message) => message?.kind === 'behaving', 'to behave')
      tell({ kind: 'behave', behaviour, keepRaw })
      await done
    },
    arrival: (count) => until(() => mails.length >= count, `for ${count} mails`),
    async idle() {
      const ticket = ++tickets
      const done = until((message) => message?.kind === 'idle' && message.ticket === ticket, 'to be idle')
      tell({ kind: 'tell-when-idle', ticket })
      await done
    },
    close: () => void child.kill('SIGKILL'),
  }
}

import { type ChildProcess, fork } from 'node:child_process'
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
  /** Resolves once nobody is connected: what was under way has been taken or dropped, and `mails` is complete. */
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
  let port = 0
  child.on('message', (message: FromMailbox) => {
    if (message.kind === 'open') port = message.port
    if (message.kind === 'mail') mails.push(message.mail)
    if (message.kind === 'refused') refusals += 1
  })
  const until = makeUntil(child)
  const tell = (message: ToMailbox) => void child.send(message)
  await until(() => port > 0, 'to open')
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

/** Waits for what the child says; it is asked at once, too, without a message. Rejects when the child ends before. */
function makeUntil(child: ChildProcess) {
  return (isIt: (message?: FromMailbox) => boolean, what: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const settle = (give: () => void) => {
        clearTimeout(timer)
        child.off('message', listener)
        child.off('exit', inVain)
        give()
      }
      const inVain = () => settle(() => reject(new Error(`The mailbox waited in vain ${what}`)))
      const listener = (message?: FromMailbox) => void (isIt(message) && settle(resolve))
      const timer = setTimeout(inVain, waitsAtMostMs)
      child.on('message', listener)
      child.once('exit', inVain)
      listener()
    })
}

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SMTPServerOptions } from 'smtp-server'
import { eventually } from '#rigs/eventually.ts'
import { selfSignedCertificate } from '#rigs/mail/self-signed-certificate.ts'
import type { SmtpBehaviour, Stage as SmtpStage } from '#rigs/mail/smtp-inbox.ts'
import type { Product } from '#rigs/product.ts'
import { readDeliveries, rowsIn } from './rig/records.ts'
import { type Form, onStage, type Outcome, type Stage } from './rig/stage.ts'

const people = { short: 3, long: 40 }
const hourMs = 60 * 60_000
const days = 4
/** The clock is set forward by so much, as soon as the product has tried the relay again. */
const stepHours = { short: 24, long: 12 }
/** The relay answers in time, or it is mute. */
const timeoutSeconds = 1

interface Way {
  name: string
  breakIt: (stage: Stage) => void | Promise<void>
  mendIt: (stage: Stage) => void | Promise<void>
  /** Until all mail is delivered, once the relay takes it again. */
  recoversWithinHours: number
}

/** Ways of one product: what it is told of the relay cannot change while it runs. */
interface Setting {
  smtpUrl: (port: number) => string
  relay: SMTPServerOptions
  ways: Way[]
}

/**
 * The relay refuses us in every way, each for four days of the product's clock. No mail is lost,
 * uses up a try or fails, and nobody leaves the list. A deferral of a recipient is not among them:
 * it may end as a failed mail.
 */
export async function refuseUs(form: Form): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const setting of [plain(), await encrypted(), await upgraded()]) {
    outcomes.push(await onStage((stage) => endure(setting, form, stage)))
  }
  return outcomes
}

function plain(): Setting {
  return {
    smtpUrl: (port) => `smtp://bot:password@127.0.0.1:${port}`,
    relay: {},
    ways: [
      answers(421, 'greeting'),
      answers(554, 'greeting'),
      behaves('mute at greeting', { does: 'stay-mute', at: 'greeting' }),
      answers(421, 'ehlo'),
      answers(454, 'auth'),
      answers(535, 'auth'),
      answers(550, 'auth'),
      answers(421, 'sender'),
      answers(553, 'sender'),
      answers(550, 'sender', '5.4.5 Daily sending limit exceeded'),
      answers(421, 'recipient'),
      answers(554, 'recipient', 'Relay access denied'),
      answers(550, 'recipient', '5.7.1 Delivery not authorized'),
      behaves('mute at RCPT TO', { does: 'stay-mute', at: 'recipient' }),
      answers(554, 'data', 'Sender not verified'),
      // The mail may have arrived. Each try may be a copy, so they are few.
      behaves('line cut in DATA', { does: 'cut-in-data' }, 24),
      behaves('mute after the mail', { does: 'stay-mute', at: 'data' }, 24),
      {
        name: 'down',
        breakIt: ({ mailbox }) => mailbox.close(),
        mendIt: ({ mailbox }) => mailbox.reopen(),
        recoversWithinHours: 1,
      },
    ],
  }
}

async function encrypted(): Promise<Setting> {
  const valid = await selfSignedCertificate()
  const expired = await selfSignedCertificate('127.0.0.1', new Date(Date.now() - hourMs))
  const relay = { ...valid, secure: true }
  const authority = encodeURIComponent(valid.cert)
  return {
    smtpUrl: (port) => `smtps://127.0.0.1:${port}?tls.ca=${authority}`,
    relay,
    ways: [
      serves('a certificate that has expired', { ...expired, secure: true }, relay),
      serves('no TLS at the port of smtps://', {}, relay),
    ],
  }
}

async function upgraded(): Promise<Setting> {
  const certificate = await selfSignedCertificate()
  const relay = { ...certificate, disabledCommands: [] }
  const authority = encodeURIComponent(certificate.cert)
  return {
    smtpUrl: (port) => `smtp://127.0.0.1:${port}?requireTLS=true&tls.ca=${authority}`,
    relay,
    ways: [serves('STARTTLS missing', {}, relay)],
  }
}

function answers(code: number, to: SmtpStage, words?: string): Way {
  const name = `${code} to the ${to}`
  const behaviour: SmtpBehaviour = { does: 'answer', code, to, ...(words && { words }) }
  return behaves(words ? `${name}: ${words}` : name, behaviour)
}

function behaves(name: string, behaviour: SmtpBehaviour, recoversWithinHours = 1): Way {
  return {
    name,
    breakIt: ({ mailbox }) => mailbox.behave(behaviour),
    mendIt: ({ mailbox }) => mailbox.behave({ does: 'accept' }),
    recoversWithinHours,
  }
}

function serves(name: string, broken: SMTPServerOptions, mended: SMTPServerOptions): Way {
  return {
    name,
    breakIt: ({ mailbox }) => mailbox.restart(broken),
    mendIt: ({ mailbox }) => mailbox.restart(mended),
    recoversWithinHours: 1,
  }
}

async function endure({ smtpUrl, relay, ways }: Setting, form: Form, stage: Stage): Promise<void> {
  const { mailbox, site } = stage
  await mailbox.restart(relay)
  const clock = new Clock(join(site.folder, 'clock'))
  const product = await site.start({
    preload: [new URL('rig/set-clock.ts', import.meta.url)],
    environment: {
      SMTP_URL: smtpUrl(mailbox.port),
      MAIL_TIMEOUT_SECONDS: String(timeoutSeconds),
      DRILL_CLOCK: clock.file,
    },
  })
  for (const way of ways) {
    await way.breakIt(stage)
    mailbox.cutConnections()
    await stage.crowd({ connections: 1, count: people[form] }).finished
    const stepMs = Math.max(stepHours[form], way.recoversWithinHours) * hourMs
    const tries = await passDays(product, clock, stepMs)
    await expectAllWaiting(stage, way)
    await way.mendIt(stage)
    await untilNone(site.databaseFile, `state = 'sending'`, `no try is under way: ${way.name}`)
    clock.advance(way.recoversWithinHours * hourMs)
    await untilNone(site.databaseFile, `state <> 'sent'`, `all is delivered after ${way.name}`)
    stage.note(`${way.name.padEnd(52)}  tried ${tries} times in ${days} days`)
  }
  await stage.settle([product], {
    // Without its 250 an attempt was interrupted by the peer.
    interrupted: (id) =>
      mailbox.mails.filter((mail) => mail.messageId === id && !mail.answered).length,
  })
}

/** The product's clock. */
class Clock {
  readonly file: string
  #aheadMs = 0

  constructor(file: string) {
    this.file = file
    this.advance(0)
  }

  advance(ms: number): void {
    this.#aheadMs += ms
    writeFileSync(this.file, String(this.#aheadMs))
  }
}

/** Returns how many attempts there were. */
async function passDays(product: Product, clock: Clock, stepMs: number): Promise<number> {
  const countTries = () => product.printed().split('"delivery postponed"').length
  const first = countTries()
  for (let passedMs = 0; passedMs < days * 24 * hourMs; passedMs += stepMs) {
    const before = countTries()
    clock.advance(stepMs)
    await eventually('the relay is tried again', () => countTries() > before)
  }
  return countTries() - first
}

/** Every mail that was not sent waits, without a try, and everybody is on the list. */
async function expectAllWaiting(stage: Stage, { name }: Way): Promise<void> {
  const deliveries = await readDeliveries(stage.site.databaseFile)
  const failed = deliveries.filter(({ state }) => state === 'failed').length
  const left = deliveries.filter(({ subscriberState }) => subscriberState !== 'active').length
  const tried = await rowsIn(stage.site.databaseFile, 'select 1 from deliveries where failures > 0')
  stage.expectNone(failed, `mails failed: ${name}`)
  stage.expectNone(left, `people were taken off the list: ${name}`)
  stage.expectNone(tried.length, `mails used up a try: ${name}`)
}

async function untilNone(database: string, condition: string, what: string): Promise<void> {
  const query = `select 1 from deliveries where ${condition} limit 1`
  await eventually(what, async () => (await rowsIn(database, query)).length === 0)
}

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '#rigs/eventually.ts'
import type { SmtpBehaviour } from '#rigs/mail/smtp-inbox.ts'
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
  behaviour: SmtpBehaviour
  /** Until all mail is delivered, once the relay takes it again. */
  recoversWithinHours: number
}

/**
 * Three ways in which a relay takes no mail, which the product meets by three paths: it is not let
 * in, its mail is refused, and it never learns if the mail arrived. smtp-mailer.test.ts has each
 * answer that a relay may give.
 */
const ways: Way[] = [
  {
    name: '535 to the auth',
    behaviour: { does: 'answer', code: 535, to: 'auth' },
    recoversWithinHours: 1,
  },
  {
    name: '550 to the recipient: 5.7.1 Delivery not authorized',
    behaviour: {
      does: 'answer',
      code: 550,
      to: 'recipient',
      words: '5.7.1 Delivery not authorized',
    },
    recoversWithinHours: 1,
  },
  {
    name: 'mute after the mail',
    behaviour: { does: 'stay-mute', at: 'data' },
    // Each try may be a copy, so they are few.
    recoversWithinHours: 24,
  },
]

/**
 * The relay refuses us in each way for four days of the product's clock. No mail is lost, uses up a
 * try or fails, and nobody leaves the list.
 */
export function refuseUs(form: Form): Promise<Outcome> {
  return onStage((stage) => endure(form, stage))
}

async function endure(form: Form, stage: Stage): Promise<void> {
  const { mailbox, site } = stage
  const clock = new Clock(join(site.folder, 'clock'))
  const product = await site.start({
    preload: [new URL('rig/set-clock.ts', import.meta.url)],
    environment: {
      SMTP_URL: `smtp://bot:password@127.0.0.1:${mailbox.port}`,
      MAIL_TIMEOUT_SECONDS: String(timeoutSeconds),
      DRILL_CLOCK: clock.file,
    },
  })
  for (const way of ways) {
    mailbox.behave(way.behaviour)
    mailbox.cutConnections()
    await stage.crowd({ connections: 1, count: people[form] }).finished
    const stepMs = Math.max(stepHours[form], way.recoversWithinHours) * hourMs
    const tries = await passDays(product, clock, stepMs)
    await expectAllWaiting(stage, way)
    mailbox.behave({ does: 'accept' })
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

import type { ProductPlace } from '#rigs/product.ts'
import type { SmtpBehaviour, SmtpInbox } from '#rigs/mail/smtp-inbox.ts'
import { faultsOf, settle } from './rig/account.ts'
import { addOutcomes, type Form, type Outcome } from './rig/drill.ts'
import { percentile } from '#rigs/load.ts'
import { isNew, type Load, signUp, startLoad } from './rig/load.ts'
import { readDeliveries, untilNothingIsOwed } from './rig/records.ts'
import { onStage, type Stage } from './rig/stage.ts'

interface Fault {
  name: string
  behaviour: SmtpBehaviour | 'down'
  isPermanent: boolean
  inShort?: boolean
}

const faults: Fault[] = [
  { name: 'down', behaviour: 'down', isPermanent: false, inShort: true },
  { name: '554 as greeting', behaviour: refuse(554, 'greeting'), isPermanent: false },
  { name: '421 as greeting', behaviour: refuse(421, 'greeting'), isPermanent: false },
  { name: '421 to RCPT TO', behaviour: refuse(421, 'recipient'), isPermanent: false },
  { name: '451 to RCPT TO', behaviour: refuse(451, 'recipient'), isPermanent: false },
  { name: '451 to the mail', behaviour: refuse(451, 'data'), isPermanent: false },
  { name: '550 to RCPT TO', behaviour: refuse(550, 'recipient'), isPermanent: true, inShort: true },
  { name: '552 to the mail', behaviour: refuse(552, 'data'), isPermanent: true },
  { name: 'mute at greeting', behaviour: { does: 'stay-mute', at: 'greeting' }, isPermanent: false },
  { name: 'mute after the mail', behaviour: { does: 'stay-mute', at: 'data' }, isPermanent: false },
  { name: 'line cut in DATA', behaviour: { does: 'cut-in-data' }, isPermanent: false },
  { name: 'line cut before 250', behaviour: { does: 'cut-before-answer' }, isPermanent: false },
]
const signUps = { short: 40, long: 400 }
const perSecond = 100
const mostP99Ms = 100
/** Another program on this machine can slow one measurement; the product's own slowness shows in each. */
const measurements = { short: 1, long: 3 }
const recoversWithinMs = 60_000
const environment = {
  MAIL_TIMEOUT_SECONDS: '1',
  MAIL_RETRY_SECONDS: ['1', '1', ...Array<string>(40).fill('2')].join(','),
}

/** The SMTP peer fails in every way it can, while people sign up. */
export async function breakSmtp(form: Form): Promise<Outcome> {
  const outcomes: Outcome[] = []
  for (const fault of faults.filter(({ inShort }) => form === 'long' || inShort))
    outcomes.push(await onStage((stage) => breakOnce(fault, form, stage)))
  return addOutcomes(outcomes)
}

async function breakOnce(fault: Fault, form: Form, stage: Stage): Promise<Outcome> {
  const { place, mailbox } = stage
  const product = await stage.start({ environment })
  const before = await loadWith(place, signUps[form] / 2)
  await untilNothingIsOwed(place.databaseFile, recoversWithinMs)

  await begin(fault, mailbox)
  const during = await loadUntilFast(place, form)
  const acknowledged = before.acknowledged.union(during.acknowledged)
  const bounced = fault.isPermanent ? during.acknowledged : new Set<string>()
  const broken: string[] = []
  if (fault.isPermanent) {
    await untilNothingIsOwed(place.databaseFile, recoversWithinMs)
    broken.push(...(await faultsOfBounces(place, bounced, mailbox)))
  }
  if (fault.behaviour === 'down') await mailbox.reopen()
  mailbox.behave({ does: 'accept' })
  const mendedAt = performance.now()
  if (fault.isPermanent) await signUpAgain(place, bounced, mailbox, broken)
  const settled = await settle(stage, [product], {
    acknowledged,
    bounced,
    // Without its 250 an attempt was interrupted by the peer.
    interrupted: (id) => mailbox.mails.filter((mail) => mail.messageId === id && !mail.answered).length,
    deliveredWithinMs: recoversWithinMs,
  })
  const recoveryMs = settled.deliveredAt - mendedAt
  const [p99, quietP99] = [during, before].map((load) => percentile(load.latenciesMs, 0.99))
  broken.push(...settled.broken, ...faultsOfAnswers(during, form, p99!, quietP99!))
  return {
    counts: settled.counts,
    broken: broken.map((one) => `${fault.name}: ${one}`),
    notes: [describe(fault, during, p99!, quietP99!, recoveryMs, settled.counts.duplicates)],
  }
}

async function begin({ behaviour }: Fault, mailbox: SmtpInbox): Promise<void> {
  if (behaviour === 'down') return mailbox.close()
  mailbox.behave(behaviour)
  mailbox.cutConnections()
}

async function loadWith(place: ProductPlace, most: number): Promise<Load> {
  const load = startLoad(place.url, { connections: 8, perSecond, most })
  await load.finished
  return load
}

/** All sign-ups during the fault; the latencies are of the fastest measurement. */
async function loadUntilFast(place: ProductPlace, form: Form): Promise<Load> {
  let all = await loadWith(place, signUps[form])
  for (let next = 1; next < measurements[form] && percentile(all.latenciesMs, 0.99) > mostP99Ms; next += 1) {
    const more = await loadWith(place, signUps[form])
    const [faster] = [all, more].toSorted(
      (a, b) => percentile(a.latenciesMs, 0.99) - percentile(b.latenciesMs, 0.99),
    )
    all = {
      ...faster!,
      acknowledged: all.acknowledged.union(more.acknowledged),
      unanswered: [...all.unanswered, ...more.unanswered],
      refused: [...all.refused, ...more.refused],
    }
  }
  return all
}

/** A permanent refusal is attempted once and fails that delivery. */
async function faultsOfBounces(place: ProductPlace, bounced: ReadonlySet<string>, mailbox: SmtpInbox) {
  const all = await readDeliveries(place.databaseFile)
  const deliveries = all.filter(({ address }) => bounced.has(address))
  const wrong = deliveries.filter(
    ({ state, subscriberState }) => state !== 'failed' || subscriberState !== 'undeliverable',
  )
  const found = faultsOf(wrong.length, 'refused for good are not marked failed')
  if (mailbox.refusals() !== deliveries.length)
    found.push(`${deliveries.length} refused mails were tried ${mailbox.refusals()} times`)
  return found
}

/** An address whose mail failed permanently signs up again and gets a mail. */
async function signUpAgain(
  place: ProductPlace,
  bounced: ReadonlySet<string>,
  mailbox: SmtpInbox,
  broken: string[],
): Promise<void> {
  const [address = ''] = bounced
  const before = mailbox.mails.length
  if (!isNew(await signUp(place.url, address))) broken.push('an address that bounced cannot sign up again')
  await mailbox.arrival(before + 1, undefined, recoversWithinMs)
}

function faultsOfAnswers(during: Load, form: Form, p99: number, quietP99: number): string[] {
  const found = faultsOf(during.refused.length + during.unanswered.length, 'sign-ups were turned away')
  if (form === 'long' && p99 > mostP99Ms && quietP99 < mostP99Ms / 2)
    found.push(`sign-ups took ${p99.toFixed(0)} ms (p99) during the fault`)
  return found
}

function describe(
  fault: Fault,
  during: Load,
  p99: number,
  quietP99: number,
  recoveryMs: number,
  dups: number,
) {
  const outcome = fault.isPermanent ? 'failed at once' : 'delivered'
  return [
    fault.name.padEnd(20),
    `${during.acknowledged.size} sign-ups ${outcome}`.padEnd(30),
    `recovery ${(recoveryMs / 1000).toFixed(1)} s`,
    `p99 ${p99.toFixed(1)} ms (before: ${quietP99.toFixed(1)})`,
    `duplicates ${dups}`,
  ].join('  ')
}

function refuse(code: number, to: 'greeting' | 'recipient' | 'data'): SmtpBehaviour {
  return { does: 'answer', code, to }
}

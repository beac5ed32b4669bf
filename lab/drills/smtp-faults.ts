import type { SmtpBehaviour } from '#rigs/mail/smtp-inbox.ts'
import { readDeliveries, untilNothingIsPending } from './rig/records.ts'
import { type Form, onStage, type Outcome, seconds, type Stage } from './rig/stage.ts'

interface Fault {
  name: string
  behaviour: SmtpBehaviour | 'down'
  isPermanent?: boolean
  inShort?: boolean
}

const faults: Fault[] = [
  { name: 'down', behaviour: 'down', inShort: true },
  { name: '554 as greeting', behaviour: refuse(554, 'greeting') },
  { name: '421 as greeting', behaviour: refuse(421, 'greeting') },
  { name: '421 to RCPT TO', behaviour: refuse(421, 'recipient') },
  { name: '451 to RCPT TO', behaviour: refuse(451, 'recipient') },
  { name: '451 to the mail', behaviour: refuse(451, 'data') },
  {
    name: 'no such mailbox',
    behaviour: refuse(550, 'recipient', '5.1.1 User unknown'),
    isPermanent: true,
  },
  { name: '552 to the mail', behaviour: refuse(552, 'data') },
  { name: 'mute at greeting', behaviour: { does: 'stay-mute', at: 'greeting' } },
  { name: 'mute after the mail', behaviour: { does: 'stay-mute', at: 'data' } },
  { name: 'line cut in DATA', behaviour: { does: 'cut-in-data' } },
  { name: 'line cut before 250', behaviour: { does: 'cut-before-answer' } },
]
const signUps = { short: 40, long: 400 }
const maxP99Ms = 100
const recoversWithinMs = { short: 100_000, long: 60_000 }

function environmentFor(form: Form): Record<string, string> {
  return {
    // No peer of the short form stays mute, so an attempt on a busy machine may take longer.
    MAIL_TIMEOUT_SECONDS: form === 'short' ? '100' : '1',
    MAIL_RETRY_SECONDS: ['1', '1', ...Array<string>(40).fill('2')].join(','),
  }
}

/** The SMTP peer fails in every way it can, while people sign up. */
export async function breakSmtp(form: Form): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const fault of faults.filter(({ inShort }) => form === 'long' || inShort)) {
    outcomes.push(await onStage((stage) => breakOnce(fault, form, stage), `${fault.name}: `))
  }
  return outcomes
}

async function breakOnce(
  { name, behaviour, isPermanent }: Fault,
  form: Form,
  stage: Stage,
): Promise<void> {
  const { site, mailbox } = stage
  const product = await stage.site.start({ environment: environmentFor(form) })
  const before = await signUpMany(stage, signUps[form] / 2)
  await untilNothingIsPending(site.databaseFile, recoversWithinMs[form])

  if (behaviour === 'down') await mailbox.close()
  else mailbox.behave(behaviour)
  mailbox.cutConnections()
  const during = await signUpMany(stage, signUps[form])
  const bounced = isPermanent ? during.acknowledged : new Set<string>()
  if (isPermanent) await expectBounces(stage, bounced, recoversWithinMs[form])

  if (behaviour === 'down') await mailbox.reopen()
  mailbox.behave({ does: 'accept' })
  const recoveredFrom = performance.now()
  const deliveredAt = await stage.settle([product], {
    unsent: bounced,
    // Without its 250 an attempt was interrupted by the peer.
    interrupted: (id) =>
      mailbox.mails.filter((mail) => mail.messageId === id && !mail.answered).length,
    withinMs: recoversWithinMs[form],
  })
  const p99 = during.p99()
  const quietP99 = before.p99()
  const isSlow = form === 'long' && p99 > maxP99Ms && quietP99 < maxP99Ms / 2
  stage.expectNone(during.failed(), 'sign-ups were turned away')
  stage.expect(!isSlow, `sign-ups took ${p99.toFixed(0)} ms (p99) during the fault`)
  const outcome = isPermanent ? 'failed at once' : 'delivered'
  stage.note(
    [
      name.padEnd(20),
      `${during.acknowledged.size} sign-ups ${outcome}`.padEnd(30),
      `recovery ${seconds(deliveredAt - recoveredFrom)}`,
      `p99 ${p99.toFixed(1)} ms (before: ${quietP99.toFixed(1)})`,
      `duplicates ${stage.counts?.duplicates}`,
    ].join('  '),
  )
}

async function signUpMany(stage: Stage, count: number) {
  const crowd = stage.crowd({ connections: 8, perSecond: 100, count })
  await crowd.finished
  return crowd
}

/** A permanent refusal is attempted once and fails that delivery. */
async function expectBounces(
  stage: Stage,
  bounced: ReadonlySet<string>,
  withinMs: number,
): Promise<void> {
  const { site, mailbox } = stage
  await untilNothingIsPending(site.databaseFile, withinMs)
  const all = await readDeliveries(site.databaseFile)
  const deliveries = all.filter(({ address }) => bounced.has(address))
  const wrong = deliveries.filter(
    ({ state, subscriberState }) => state !== 'failed' || subscriberState !== 'undeliverable',
  )
  stage.expectNone(wrong.length, 'refused for good are not marked failed')
  const tries = mailbox.refusals
  stage.expect(
    tries === deliveries.length,
    `${deliveries.length} refused mails were tried ${tries} times`,
  )
}

function refuse(
  code: number,
  to: 'greeting' | 'recipient' | 'data',
  words = 'Refused by the drill',
): SmtpBehaviour {
  return { does: 'answer', code, to, words }
}

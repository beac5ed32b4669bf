import { challengePath, proofHeader } from '#contract/proof-of-work.ts'
import { signUpPath } from '#contract/sign-up.ts'
import { prove } from '#pages/browser/prove-work.ts'
import { generateLoad, percentile, signUpRequest } from '#rigs/load.ts'
import { faultsOf, settle } from '../rig/account.ts'
import { addOutcomes, type Form, type Outcome } from '../rig/drill.ts'
import { isNew, signUpHeaders } from '../rig/load.ts'
import { fastClock } from '../rig/preloads.ts'
import { onStage, runOwner, type Stage } from '../rig/stage.ts'

/** `speed`: of the product's clock. */
const sizes = { short: { minutes: 20, speed: 40 }, long: { minutes: 60, speed: 12 } }
const networks = 50
/** The ceiling of a network: 20 in ten minutes. */
const everySeconds = 30
const visitors = 100
const victims = 20
const mailedWithinMs = 5_000
const mailsADay = { off: 3, on: 1 }
const connections = 32
const dayMs = 24 * 60 * 60_000

/** 50 networks flood at their limits, a quarter of it at the inboxes of 20 victims, while 100 visitors sign up. */
export async function surviveStorm(form: Form): Promise<Outcome> {
  const outcomes: Outcome[] = []
  for (const mode of ['off', 'on'] as const)
    outcomes.push(await onStage((stage) => flood(stage, sizes[form], mode)))
  return addOutcomes(outcomes)
}

async function flood(stage: Stage, size: (typeof sizes)[Form], mode: 'off' | 'on'): Promise<Outcome> {
  const { place, mailbox } = stage
  const limits = { LIMIT_IP_PER_10_MIN: '20', LIMIT_ADDRESS_PER_DAY: '3', LIMIT_SITE_MAILS_PER_HOUR: '600' }
  const product = await stage.start({
    environment: { ...limits, TRUST_PROXY: '1' },
    preload: [fastClock({ speed: size.speed })],
  })
  await runOwner(place, 'storm', mode)

  const { acknowledged, waitedMs, turnedAway, solved } = await signUpAll(stage, size)
  const perVictim = [...Map.groupBy(mailbox.mails, ({ to }) => victimOf(to[0]!))].filter(([victim]) => victim)
  const mostPerVictim = Math.max(0, ...perVictim.map(([, mails]) => mails.length))
  const mailsInTheFlood = mailbox.mails.length
  await product.terminate()

  // Waiting mail goes out when there is room, and mail for another day goes on that day.
  const drained = await stage.start({ preload: [fastClock({ aheadMs: 4 * dayMs })] })
  const outcome = await settle(stage, [drained], { acknowledged, deliveredWithinMs: 10 * 60_000 })
  outcome.broken.push(
    ...faultsOf(turnedAway, 'visitors were turned away'),
    ...faultsOf(
      waitedMs.filter((ms) => ms > mailedWithinMs).length,
      'visitors waited more than 5 s for their mail',
    ),
    ...faultsOf(Math.max(0, mostPerVictim - mailsADay[mode]), 'mails too many went to a victim'),
  )
  outcome.notes.push(
    `storm ${mode}, ${size.minutes} minutes of its clock: ${mailsInTheFlood} mails; visitors waited ${Math.round(percentile(waitedMs, 0.5))} ms (half of them) to ${Math.round(Math.max(...waitedMs))} ms; at most ${mostPerVictim} mails to one of ${victims} victims; ${solved} of ${visitors} visitors and none of the others solved a challenge`,
  )
  return outcome
}

async function signUpAll(stage: Stage, size: (typeof sizes)[Form]) {
  const { url, port } = stage.place
  const requests = plan(size.minutes)
  const perSecond = (requests.length / (size.minutes * 60)) * size.speed
  const acknowledged = new Set<string>()
  const visits: ReturnType<typeof visit>[] = []
  await generateLoad({
    port,
    connections,
    perSecond,
    next() {
      while (requests[0]?.isVisitor) visits.push(visit(stage, requests.shift()!))
      const asked = requests.shift()
      if (!asked) return undefined
      const forwarded = `\r\nX-Forwarded-For: ${asked.network}\r\n`
      return { ...asked, bytes: Buffer.from(signUpRequest(url, asked.email).replace('\r\n', forwarded)) }
    },
    onAnswer({ email }, answer) {
      if (answer && isNew(answer)) acknowledged.add(email)
    },
  }).finished
  const visited = await Promise.all(visits)
  for (const { email, isTaken } of visited) if (isTaken) acknowledged.add(email)
  return {
    acknowledged,
    /** Covers the visitors who are promised to be first. On a busy machine a proof may not be ready in time. */
    waitedMs: visited.filter(({ isFirst }) => isFirst).map(({ waitedMs }) => waitedMs),
    turnedAway: visited.filter(({ isTaken }) => !isTaken).length,
    solved: visited.filter(({ proof }) => proof).length,
  }
}

/** As the page does it: with a proof, if there is a challenge. */
async function visit(stage: Stage, { email, network }: Planned) {
  const { url } = stage.place
  const asked = await fetch(url + challengePath)
  const proof = asked.status === 200 ? await prove((await asked.json()).challenge, email) : undefined
  const headers = { ...signUpHeaders, 'x-forwarded-for': network, ...(proof && { [proofHeader]: proof }) }
  const mailed = msUntilMailed(stage, email)
  const answer = await fetch(url + signUpPath, { method: 'POST', headers, body: JSON.stringify({ email }) })
  const isTaken = isNew({ status: answer.status, body: await answer.text() })
  return { email, isTaken, proof, isFirst: asked.status === 204 || proof, waitedMs: await mailed }
}

/** Infinity: the mail did not come in the time it has. */
async function msUntilMailed({ mailbox }: Stage, email: string): Promise<number> {
  const start = performance.now()
  const came = await mailbox.arrival(1, email, mailedWithinMs).catch(() => undefined)
  return came ? performance.now() - start : Infinity
}

interface Planned {
  email: string
  network: string
  isVisitor: boolean
}

/** In the order of their times. */
function plan(minutes: number): Planned[] {
  const planned: (Planned & { second: number })[] = []
  for (let number = 0; number < (networks * minutes * 60) / everySeconds; number += 1) {
    const network = number % networks
    const second = Math.floor(number / networks) * everySeconds + (network * everySeconds) / networks
    const isAtVictim = number % 4 === 0
    const email = isAtVictim ? `victim${(number / 4) % victims}+${number}@gmail.com` : realLooking(number)
    planned.push({ second, email, network: `203.0.113.${network}`, isVisitor: false })
  }
  for (let visitor = 0; visitor < visitors; visitor += 1) {
    const second = ((visitor + 0.5) * minutes * 60) / visitors
    const network = `198.51.100.${visitor}`
    planned.push({ second, email: `visitor${visitor}@example.com`, network, isVisitor: true })
  }
  return planned.toSorted((a, b) => a.second - b.second)
}

const syllables = ['ma', 'ri', 'to', 'len', 'ka', 'su', 'ne', 'dor', 'vi', 'ban']
const domains = ['gmail.com', 'outlook.com', 'yahoo.com', 'icloud.com', 'gmx.net']

function realLooking(number: number): string {
  const digits = Array.from(String(number).padStart(4, '0'), Number)
  return `${digits.map((digit) => syllables[digit]).join('')}${number % 90}@${domains[number % domains.length]}`
}

function victimOf(address: string): string | undefined {
  return /^victim\d+(?=\+)/.exec(address)?.[0]
}

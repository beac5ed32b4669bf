import { challengePath, proofHeader } from '#contract/proof-of-work.ts'
import { prove } from '#pages/browser/prove-work.ts'
import { generateLoad, percentile, signUpRequest } from '#rigs/load.ts'
import { isNew, signUp } from '../rig/load.ts'
import { fastClock } from '../rig/preloads.ts'
import { type Form, onStage, type Outcome, runOwner, type Stage } from '../rig/stage.ts'

/** `speed`: of the product's clock. */
const sizes = { short: { minutes: 20, speed: 40 }, long: { minutes: 60, speed: 12 } }
const networks = 50
/** The ceiling of a network: 20 in ten minutes. */
const everySeconds = 30
const visitors = 100
const victims = 20
const mailedWithinMs = 5_000
const mailsADay = { off: 3, on: 1 }
const dayMs = 24 * 60 * 60_000
const environment = {
  LIMIT_IP_PER_10_MIN: '20',
  LIMIT_ADDRESS_PER_DAY: '3',
  LIMIT_SITE_MAILS_PER_HOUR: '600',
  TRUST_PROXY: '1',
}

/** 50 networks flood at their limits, a quarter of it at the inboxes of 20 victims, while 100 visitors sign up. */
export async function surviveStorm(form: Form): Promise<Outcome[]> {
  const calm = await onStage((stage) => flood(stage, sizes[form], 'off'), 'storm off: ')
  return [calm, await onStage((stage) => flood(stage, sizes[form], 'on'), 'storm on: ')]
}

async function flood(stage: Stage, { minutes, speed }: (typeof sizes)[Form], mode: 'off' | 'on') {
  const { place, mailbox } = stage
  const product = await stage.start({ environment, preload: [fastClock({ speed })] })
  await runOwner(place, 'storm', mode)
  const { acknowledged, visits } = await signUpAll(stage, minutes, speed)
  const victimOf = (address: string) => /^victim\d+(?=\+)/.exec(address)?.[0]
  const perVictim = Map.groupBy(mailbox.mails, ({ to }) => victimOf(to[0]!))
  perVictim.delete(undefined)
  const mostPerVictim = Math.max(0, ...Array.from(perVictim.values(), (mails) => mails.length))
  const mailsInTheFlood = mailbox.mails.length
  await product.terminate()
  // Waiting mail goes out when there is room, and mail for another day goes on that day.
  const drained = await stage.start({ preload: [fastClock({ aheadMs: 4 * dayMs })] })
  await stage.settle([drained], { acknowledged, withinMs: 10 * 60_000 })

  // Only visitors with a proof are promised to be first. On a busy machine a proof may not be ready in time.
  const waitedMs = visits.filter(({ isFirst }) => isFirst).map((one) => one.waitedMs)
  const late = waitedMs.filter((ms) => ms > mailedWithinMs).length
  stage.expectNone(visits.filter(({ isAccepted }) => !isAccepted).length, 'visitors were turned away')
  stage.expectNone(late, 'visitors waited more than 5 s for their mail')
  stage.expect(mostPerVictim <= mailsADay[mode], `${mostPerVictim} mails went to a victim`)
  const solved = visits.filter(({ proof }) => proof).length
  stage.note(
    `storm ${mode}, ${minutes} minutes of its clock: ${mailsInTheFlood} mails; visitors waited ${Math.round(percentile(waitedMs, 0.5))} ms (half of them) to ${Math.round(Math.max(...waitedMs))} ms; at most ${mostPerVictim} mails to one of ${victims} victims; ${solved} of ${visitors} visitors and none of the others solved a challenge`,
  )
}

async function signUpAll(stage: Stage, minutes: number, speed: number) {
  const { url, port } = stage.place
  const requests = plan(minutes)
  const perSecond = (requests.length / (minutes * 60)) * speed
  const acknowledged = new Set<string>()
  const visiting: ReturnType<typeof visit>[] = []
  await generateLoad({
    port,
    connections: 32,
    perSecond,
    next() {
      while (requests[0]?.isVisitor) visiting.push(visit(stage, requests.shift()!))
      const asked = requests.shift()
      if (!asked) return undefined
      const forwarded = `\r\nX-Forwarded-For: ${asked.network}\r\n`
      return { ...asked, bytes: Buffer.from(signUpRequest(url, asked.email).replace('\r\n', forwarded)) }
    },
    onAnswer({ email }, answer) {
      if (answer && isNew(answer)) acknowledged.add(email)
    },
  }).finished
  const visits = await Promise.all(visiting)
  for (const { email, isAccepted } of visits) if (isAccepted) acknowledged.add(email)
  return { acknowledged, visits }
}

/** Signs up like the page: with a proof, if there is a challenge. `waitedMs` is Infinity if no mail came in time. */
async function visit({ place: { url }, mailbox }: Stage, { email, network }: Planned) {
  const asked = await fetch(url + challengePath)
  const proof = asked.status === 200 ? await prove((await asked.json()).challenge, email) : undefined
  const start = performance.now()
  const mailed = mailbox.arrival(1, email, mailedWithinMs).then(
    () => performance.now() - start,
    () => Infinity,
  )
  const headers = { 'x-forwarded-for': network, ...(proof && { [proofHeader]: proof }) }
  const isAccepted = isNew(await signUp(url, email, headers))
  return { email, isAccepted, proof, isFirst: asked.status === 204 || proof, waitedMs: await mailed }
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

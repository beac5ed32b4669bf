import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import PostalMime from 'postal-mime'
import { signUpPath } from '#contract/sign-up.ts'
import { eventually } from '#rigs/eventually.ts'
import { isNew, signUp, signUpHeaders } from './rig/load.ts'
import { readAddresses, readDeliveries, untilNothingIsOwed } from './rig/records.ts'
import { type Form, metricsToken, onStage, type Stage } from './rig/stage.ts'

const environment = {
  RESEND_AFTER_SECONDS: '1',
  MAIL_RETRY_SECONDS: '1,1,1,1,1,1',
  LOG_LEVEL: 'debug',
}
const neighbours = { short: 50, long: 500 }
const resendWaitMs = 1_200
const marker = `marker-${Math.random().toString(36).slice(2)}`
const address = `${marker.replace('m', 'M')}+Tag@Drill.Example`
const isMarked = (text: string) => text.toLowerCase().includes(marker)

/** Follows one address through the product: only the database and the mails to it may contain it. */
export function followMarker(form: Form) {
  return onStage(async (stage) => {
    const { mailbox, place } = stage
    const { databaseFile, logFile } = place
    const product = await stage.start({ environment })
    // Among others, so that their rows share pages with the marker's and move it about.
    const signUpNeighbours = () => stage.crowd({ connections: 8, most: neighbours[form] }).finished
    await signUpNeighbours()
    const { mailsOwed, acknowledged } = await live(stage)
    await signUpNeighbours()
    await untilNothingIsOwed(databaseFile)
    const rows = [...(await readAddresses(databaseFile))].filter(isMarked).length
    stage.expect(filesWithMarker(databaseFile) !== '', 'the search finds nothing at all')

    const personalUrl = await personalUrlOf(stage)
    await post(stage, 'erase')
    stage.expect((await fetch(personalUrl)).status === 404, 'its page is still there after it was erased')
    const right = filesWithMarker(databaseFile)
    stage.expect(right === '', `the marker is in ${right} right after it was erased`)
    expectNowhere(stage, await readMetrics(stage), 'in the metrics after it was erased')
    await product.terminate()
    const left = filesWithMarker(databaseFile)
    stage.expect(left === '', `the marker is in ${left} after the stop`)
    const log = readFileSync(logFile, 'utf8')
    expectNowhere(stage, log, 'in the log')
    stage.expect(/delivery postponed/.test(log), 'nothing was logged')

    await mailbox.idle()
    const mails = mailbox.mails.filter(({ to }) => to.some(isMarked))
    for (const { raw } of mails) await expectLinksWithoutMarker(stage, raw)
    stage.expect(mails.length === mailsOwed, `${mails.length} of ${mailsOwed} mails came`)
    const duplicates = mails.length - new Set(mails.map(({ messageId }) => messageId)).size
    const lost = mailsOwed - mails.length
    stage.counts = { acknowledged, rows, mails: mails.length, duplicates, lost }
    stage.note('signed up, retried, sent again, bounced, signed up again twice, unsubscribed, erased')
  })
}

/** Takes the address through every way in and out of the product but erasure. */
async function live(stage: Stage): Promise<{ acknowledged: number; mailsOwed: number }> {
  const { mailbox, place } = stage
  let acknowledged = 0
  const signUpAs = async (kind: 'new' | 'known') => {
    const answer = await signUp(place.url, address)
    if (isNew(answer)) acknowledged += 1
    stage.expect(isNew(answer) === (kind === 'new'), `a sign-up got ${answer.status} ${answer.body}`)
  }
  const refuse = (code: number) =>
    // Real servers quote the address in replies, which must not reach a log.
    mailbox.behave({ does: 'answer', code, to: 'recipient', words: `<${address}> refused` })
  const settled = () => untilNothingIsOwed(place.databaseFile)

  refuse(451)
  await signUpAs('new')
  await eventually('the mailbox refuses', () => mailbox.refusals() > 0)
  mailbox.behave({ does: 'accept' })
  await settled()
  await sleep(resendWaitMs)
  await signUpAs('known')
  await settled()
  await sleep(resendWaitMs)
  refuse(550)
  await signUpAs('known')
  await settled()
  const hasFailed = (await readDeliveries(place.databaseFile)).some(({ state }) => state === 'failed')
  stage.expect(hasFailed, 'the bounced mail has not failed')
  mailbox.behave({ does: 'accept' })
  await signUpAs('new')
  await settled()
  await sendNonsense(stage)
  await post(stage, 'unsubscribe')
  await signUpAs('new')
  await settled()
  expectNowhere(stage, await readMetrics(stage), 'in the metrics')
  return { acknowledged, mailsOwed: 4 } // one for each sign-up but the one that bounced
}

/** Malformed requests with the address in every place it could be logged from. */
async function sendNonsense(stage: Stage): Promise<void> {
  const { url } = stage.place
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const bodies: [Record<string, string>, string][] = [
    [signUpHeaders, `{"email":"${address}"`],
    [signUpHeaders, JSON.stringify({ email: `${address}@twice` })],
    [signUpHeaders, JSON.stringify({ email: [address] })],
    [form, `email=${encodeURIComponent(`${address}@twice`)}`],
    [form, `email=${encodeURIComponent(address)}`],
  ]
  for (const [headers, body] of bodies) await ask(stage, url + signUpPath, { method: 'POST', headers, body })
  await ask(stage, `${url}/?email=${encodeURIComponent(address)}`)
  await ask(stage, `${url}/kit/${encodeURIComponent(address)}`)
}

async function post(stage: Stage, action: 'unsubscribe' | 'erase'): Promise<void> {
  const url = await personalUrlOf(stage)
  await ask(stage, url)
  const { status } = await ask(stage, `${url}/${action}`, { method: 'POST' })
  stage.expect(status === 200, `${action} answered ${status}`)
}

async function ask(stage: Stage, url: string, init: RequestInit = {}): Promise<Response> {
  const answer = await fetch(url, { redirect: 'manual', ...init })
  expectNowhere(stage, [...answer.headers.values()].join('\n'), 'in a header of an answer')
  const links = (await answer.text()).match(/(?:href|src|action)="[^"]*"/g) ?? []
  expectNowhere(stage, links.join('\n'), 'in a link of a page')
  stage.expect(answer.status < 500, `something got ${answer.status}`)
  return answer
}

async function personalUrlOf({ mailbox, place }: Stage): Promise<string> {
  const mail = mailbox.mails.find(({ to }) => to.some(isMarked))
  const { text = '' } = await PostalMime.parse(mail?.raw ?? '')
  return `${place.url}/kit/${/\/kit\/([\w-]{22})/.exec(text)?.[1]}`
}

async function readMetrics(stage: Stage): Promise<string> {
  const headers = { authorization: `Bearer ${metricsToken}` }
  const answer = await fetch(`${stage.place.url}/metrics`, { headers })
  stage.expect(answer.ok, 'the metrics cannot be read')
  return answer.text()
}

async function expectLinksWithoutMarker(stage: Stage, raw: Buffer): Promise<void> {
  const { html = '', text = '', headers } = await PostalMime.parse(raw)
  const list = headers.filter(({ key }) => key.startsWith('list-')).map(({ value }) => value)
  const urls = [html, text, ...list].join(' ').match(/https?:[^\s"'<>]+/g) ?? []
  stage.expect(urls.length > 0, 'a mail has no link')
  expectNowhere(stage, urls.join('\n'), 'in a link of a mail')
}

function expectNowhere(stage: Stage, text: string, where: string): void {
  stage.expect(!isMarked(text), `the marker is ${where}`)
}

/** The database's files that hold the marker: the file, its log, its index. */
function filesWithMarker(databaseFile: string): string {
  const folder = dirname(databaseFile)
  const files = readdirSync(folder).filter((name) => name.startsWith(basename(databaseFile)))
  return files.filter((name) => isMarked(readFileSync(join(folder, name), 'latin1'))).join(', ')
}

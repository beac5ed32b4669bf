import { request as ask } from 'node:http'
import type { TestAddressState } from '#contract/test-address.ts'
import { eventually } from '#rigs/eventually.ts'
import { type HttpServer, serveHttp } from '#rigs/listening.ts'
import { fireAlert } from '#rigs/http/tradingview.ts'
import type { Product } from '#rigs/product.ts'
import { openDatabase } from '#server/database/open-database.ts'
import { openSite } from '#server/settings/site-settings.ts'
import { rowsIn } from './rig/records.ts'
import { type Form, onStage, type Site, type Stage } from './rig/stage.ts'

const entry = '{"ticker": "BTCUSD", "action": "buy", "sentiment": "long", "signalPrice": 107.09}'
const exit = '{"ticker": "BTCUSD", "action": "sell", "sentiment": "flat", "signalPrice": 109.05}'
/** The short form also runs on a busy machine. */
const withinMs = { short: 100_000, long: 3_000 }
const burst = 80
const takenAMinute = 60

/**
 * TradingView sends to a visitor's test address: JSON and text, a burst, and again after the server
 * in front has answered 502 while ours restarted. Nothing comes twice or not at all.
 */
export function receiveAlerts(form: Form) {
  return onStage(async (stage) => {
    const environment = { PUBLIC_URL: 'https://bot.example', TRUST_PROXY: '1' }
    const first = await stage.site.start({ environment })
    await openPage(stage)
    const kit = await signUpFor(stage)
    const address = await openAddress(stage.site, kit)
    const state = () => stateOf(stage.site, kit)

    await expectKinds(stage, address, state)
    const proxy = await startProxy(stage.site.port)
    await first.kill()
    const started: Product[] = []
    const untilAgain = async () => started.push(await stage.site.start({ environment }))
    const path = new URL(address).pathname
    const { statuses } = await fireAlert(proxy.url + path, 'after a restart', { untilAgain })
    stage.expect(
      statuses[0] === 502 && statuses.at(-1) === 200,
      `tries ended with ${statuses.join()}`,
    )
    const copies = (await state()).arrivals.filter(({ message }) => message === 'after a restart')
    stage.expect(
      copies.length === 1,
      `a message that was tried again arrived ${copies.length} times`,
    )
    await proxy.close()
    await expectBurst(stage, form)
    for (const second of started) await second.terminate()
    stage.note(`a message got its 200 at try ${statuses.length}, after the restart`)
  })
}

type ReadState = () => Promise<TestAddressState>

/** JSON as application/json, other text as text/plain; both from TradingView. */
async function expectKinds(stage: Stage, address: string, state: ReadState): Promise<void> {
  const url = stage.site.url + new URL(address).pathname
  const fired = [
    await fireAlert(url, entry),
    await fireAlert(url, exit),
    await fireAlert(url, 'text'),
  ]
  stage.expect(
    fired.every(({ statuses }) => statuses.join() === '200'),
    'a message got no 200',
  )
  const { arrivals, entrySeen, exitSeen } = await state()
  const kinds = arrivals.map(({ contentType, message }) => `${contentType} ${message}`).toReversed()
  const wanted = [
    `application/json; charset=utf-8 ${entry}`,
    `application/json; charset=utf-8 ${exit}`,
    'text/plain; charset=utf-8 text',
  ]
  stage.expect(kinds.join() === wanted.join(), `arrived: ${kinds.join()}`)
  stage.expect(
    arrivals.every((one) => one.fromTradingView),
    'a sender was not known',
  )
  stage.expect(entrySeen && exitSeen, 'an entry and an exit were not seen')
}

/** It goes to somebody else's address, whose minute begins with the burst. */
async function expectBurst(stage: Stage, form: Form): Promise<void> {
  const kit = await signUpFor(stage)
  const url = stage.site.url + new URL(await openAddress(stage.site, kit)).pathname
  const fired = await Promise.all(
    Array.from({ length: burst }, (_, number) =>
      fireAlert(url, `burst ${number}`, { withinMs: withinMs[form] }),
    ),
  )
  const count = (status: number) =>
    fired.filter(({ statuses }) => statuses.join() === `${status}`).length
  stage.expect(count(200) + count(429) === burst, 'a message of a burst was answered otherwise')
  stage.expect(count(200) <= takenAMinute, `${count(200)} messages were taken within a minute`)
  const slowest = Math.max(...fired.map(({ ms }) => ms))
  stage.expect(
    (await stateOf(stage.site, kit)).arrivals.length === 20,
    'the newest twenty were not kept',
  )
  stage.note(
    `${count(200)} of a burst of ${burst} taken, the slowest answer after ${slowest.toFixed(0)} ms`,
  )
}

async function openPage({ site }: Stage): Promise<void> {
  const database = await openDatabase(`file:${site.databaseFile}`)
  await database.transaction((transaction) => openSite(transaction, Date.now()))
  await database.close()
}

/** Returns the path of a new subscriber's personal page. */
async function signUpFor(stage: Stage): Promise<string> {
  await eventually('the page is open', () => stage.signUp())
  const query = 'select token from subscribers order by id desc limit 1'
  const readToken = async () => (await rowsIn(stage.site.databaseFile, query))[0]?.['token']
  await eventually('the first mail has a link', async () => typeof (await readToken()) === 'string')
  return `/kit/${String(await readToken())}`
}

async function openAddress({ url }: Site, kit: string): Promise<string> {
  const headers = { accept: 'application/json' }
  const answer = await fetch(`${url}${kit}/test-address`, { method: 'POST', headers })
  const { address }: TestAddressState = await answer.json()
  if (address === null) throw new Error('No test address was opened')
  return address
}

async function stateOf({ url }: Site, kit: string): Promise<TestAddressState> {
  return (await fetch(`${url}${kit}/alerts`)).json()
}

/** A server in front of ours. It answers 502 while nobody listens behind it. */
function startProxy(port: number): Promise<HttpServer> {
  return serveHttp((request, response) => {
    const { method, url: path, headers } = request
    const passed = ask({ port, host: '127.0.0.1', method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    passed.once('error', () => response.writeHead(502).end())
    request.pipe(passed)
  })
}

import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import PostalMime from 'postal-mime'
import { signUpPath } from '#contract/sign-up.ts'
import type { Form, Outcome } from './rig/drill.ts'
import { inDrillFolder } from './rig/drill-folder.ts'
import { isNew, signUp, startLoad } from './rig/load.ts'
import { type Mailbox, openMailbox } from './rig/mailbox.ts'
import { findPlace, type Product, startProduct } from './rig/product.ts'
import { readAddresses, readDeliveries, untilNothingIsOwed } from './rig/records.ts'

const environment = {
  RESEND_AFTER_SECONDS: '1',
  MAIL_RETRY_SECONDS: '1,1,1,1,1,1',
  LOG_LEVEL: 'debug',
}
const resendWaitMs = 1_200
const neighbours = { short: 50, long: 500 }
const deliveredWithinMs = 60_000

/** One address lives its whole life in the product; nothing but the database and the mails to it may know it. */
export function followMarker(form: Form): Promise<Outcome> {
  return inDrillFolder(async (folder) => {
    const mailbox = await openMailbox()
    await mailbox.behave({ does: 'accept' }, true)
    const place = await findPlace(folder)
    const product = await startProduct(place, { environment: { ...environment, SMTP_URL: mailbox.url } })
    const marker = `marker-${Math.random().toString(36).slice(2)}`
    const isMarker = (address: string) => address.toLowerCase().includes(marker)
    const life = new MarkerLife(product, mailbox, marker)
    // Among others, so that their rows share pages with the marker's and move it about.
    await startLoad(place.url, { connections: 8, most: neighbours[form] }).finished
    await life.live()
    await startLoad(place.url, { connections: 8, most: neighbours[form] }).finished
    await untilNothingIsOwed(place.databaseFile, deliveredWithinMs)
    const rowsBefore = [...readAddresses(place.databaseFile)].filter(isMarker)
    life.expect(filesThatHold(place.databaseFile, marker).length > 0, 'the search finds nothing at all')
    await life.erase()
    life.expectGone('right after it was erased')
    life.expectNowhere(await life.metrics(), 'in the metrics after it was erased')
    await product.terminate()
    life.expectGone('after the stop')
    life.expectNowhere(readFileSync(place.logFile, 'utf8'), 'in the log')
    life.expect(/delivery postponed/.test(readFileSync(place.logFile, 'utf8')), 'nothing was logged')
    mailbox.close()
    const mails = mailbox.mails.filter(({ to }) => isMarker(to))
    await life.lookAtMails(mails.map(({ raw = '' }) => raw))
    life.expect(mails.length === life.mailsOwed, `${mails.length} of ${life.mailsOwed} mails came`)
    const duplicates = mails.length - new Set(mails.map(({ messageId }) => messageId)).size
    return {
      counts: {
        ...{ acknowledged: life.acknowledged, rows: rowsBefore.length, mails: mails.length, duplicates },
        lost: life.mailsOwed - mails.length,
      },
      broken: life.broken,
      notes: ['signed up, retried, sent again, bounced, signed up anew twice, unsubscribed, erased'],
    }
  })
}

class MarkerLife {
  readonly broken: string[] = []
  acknowledged = 0
  mailsOwed = 0
  readonly #product: Product
  readonly #mailbox: Mailbox
  readonly #marker: string
  readonly #address: string
  constructor(product: Product, mailbox: Mailbox, marker: string) {
    this.#product = product
    this.#mailbox = mailbox
    this.#marker = marker
    this.#address = `${marker.replace('m', 'M')}+Tag@Drill.Example`
  }

  async live(): Promise<void> {
    const mailbox = this.#mailbox
    await mailbox.behave({ does: 'answer', code: 451, to: 'recipient' })
    await this.#signUp(true)
    await sleep(300)
    await mailbox.behave({ does: 'accept' }, true)
    await this.#delivered(1)
    await sleep(resendWaitMs)
    await this.#signUp(false)
    await this.#delivered(1)
    await sleep(resendWaitMs)
    await mailbox.behave({ does: 'answer', code: 550, to: 'recipient' })
    await this.#signUp(false)
    await this.#delivered(0)
    this.expect(
      readDeliveries(this.#product.databaseFile).some(({ state }) => state === 'failed'),
      'the bounced mail has not failed',
    )
    await mailbox.behave({ does: 'accept' }, true)
    await this.#signUp(true)
    await this.#delivered(1)
    await this.#sendNonsense()
    await this.#post('unsubscribe')
    await this.#signUp(true)
    await this.#delivered(1)
    this.expectNowhere(await this.metrics(), 'in the metrics')
  }

  async erase(): Promise<void> {
    const url = await this.#personalUrl()
    await this.#post('erase')
    this.expect((await fetch(url)).status === 404, 'its page is still there after it was erased')
  }

  async metrics(): Promise<string> {
    const answer = await fetch(`${this.#product.url}/metrics`, { headers: { authorization: 'Bearer drill' } })
    this.expect(answer.ok, 'the metrics cannot be read')
    return answer.text()
  }

  /** Every link in a mail goes without the address, and so do the links and headers of the pages behind them. */
  async lookAtMails(raws: readonly string[]): Promise<void> {
    for (const raw of raws) {
      const { html = '', text = '', headers } = await PostalMime.parse(raw)
      const list = headers.filter(({ key }) => key.startsWith('list-')).map(({ value }) => value)
      const urls = [html, text, ...list].join(' ').match(/https?:[^\s"'<>]+/g) ?? []
      this.expect(urls.length > 0, 'a mail has no link')
      this.expectNowhere(urls.join('\n'), 'in a link of a mail')
    }
  }

  expect(holds: boolean, fault: string): void {
    if (!holds) this.broken.push(fault)
  }

  expectNowhere(text: string, where: string): void {
    this.expect(!text.toLowerCase().includes(this.#marker), `the marker stands ${where}`)
  }

  expectGone(when: string): void {
    const files = filesThatHold(this.#product.databaseFile, this.#marker)
    this.expect(files.length === 0, `the marker is in ${files.join(', ')} ${when}`)
  }

  async #signUp(expectNew: boolean): Promise<void> {
    const answer = await signUp(this.#product.url, this.#address)
    this.expect(isNew(answer) === expectNew, `a sign-up got ${answer.status} ${answer.body}`)
    if (isNew(answer)) this.acknowledged += 1
  }

  async #delivered(mails: number): Promise<void> {
    await untilNothingIsOwed(this.#product.databaseFile, deliveredWithinMs)
    this.mailsOwed += mails
  }

  /** What a visitor may get wrong, with the address in every place it could be logged from. */
  async #sendNonsense(): Promise<void> {
    const { url } = this.#product
    const address = this.#address
    const json = { authorization: 'Bearer starter-bot-development-key', 'content-type': 'application/json' }
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const bodies: [Record<string, string>, string][] = [
      [json, `{"email":"${address}"`],
      [json, JSON.stringify({ email: `${address}@twice` })],
      [json, JSON.stringify({ email: [address] })],
      [form, `email=${encodeURIComponent(`${address}@twice`)}`],
      [form, `email=${encodeURIComponent(address)}`],
    ]
    for (const [headers, body] of bodies) await this.#ask(url + signUpPath, { method: 'POST', headers, body })
    await this.#ask(`${url}/?email=${encodeURIComponent(address)}`)
    await this.#ask(`${url}/kit/${encodeURIComponent(address)}`)
  }

  async #post(action: 'unsubscribe' | 'erase'): Promise<void> {
    const url = await this.#personalUrl()
    await this.#ask(url)
    const answer = await this.#ask(`${url}/${action}`, { method: 'POST' })
    this.expect(answer.status === 200, `${action} answered ${answer.status}`)
  }

  async #ask(url: string, init: RequestInit = {}): Promise<Response> {
    const answer = await fetch(url, { redirect: 'manual', ...init })
    this.expectNowhere([...answer.headers.values()].join('\n'), 'in a header of an answer')
    const links = (await answer.text()).match(/(?:href|src|action)="[^"]*"/g) ?? []
    this.expectNowhere(links.join('\n'), 'in a link of a page')
    this.expect(answer.status < 500, `something got ${answer.status}`)
    return answer
  }

  async #personalUrl(): Promise<string> {
    const mail = this.#mailbox.mails.find(({ to }) => to.toLowerCase().includes(this.#marker))
    const { text = '' } = await PostalMime.parse(mail?.raw ?? '')
    const [, token = ''] = /\/kit\/([\w-]{22})/.exec(text) ?? []
    return `${this.#product.url}/kit/${token}`
  }
}

/** Of the database's own files: the file, its log, its index. */
function filesThatHold(databaseFile: string, marker: string): string[] {
  const folder = dirname(databaseFile)
  return readdirSync(folder)
    .filter((name) => name.startsWith(basename(databaseFile)))
    .filter((name) => readFileSync(join(folder, name), 'latin1').toLowerCase().includes(marker))
}

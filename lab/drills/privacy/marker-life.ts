import { setTimeout as sleep } from 'node:timers/promises'
import PostalMime from 'postal-mime'
import { signUpPath } from '#contract/sign-up.ts'
import type { Product } from '#rigs/product.ts'
import type { SmtpInbox } from '#rigs/mail/smtp-inbox.ts'
import { eventually } from '../rig/eventually.ts'
import { isNew, signUp, signUpHeaders } from '../rig/load.ts'
import { filesThatHold, readDeliveries, untilNothingIsOwed } from '../rig/records.ts'
import { metricsToken } from '../rig/stage.ts'

const resendWaitMs = 1_200
const deliveredWithinMs = 60_000

/** Takes one address through every way in and out of the product, and returns where it was found but does not belong. */
export class MarkerLife {
  readonly broken: string[] = []
  acknowledged = 0
  mailsOwed = 0
  readonly #product: Product
  readonly #mailbox: SmtpInbox
  readonly #marker: string
  readonly #address: string
  constructor(product: Product, mailbox: SmtpInbox, marker: string) {
    this.#product = product
    this.#mailbox = mailbox
    this.#marker = marker
    this.#address = `${marker.replace('m', 'M')}+Tag@Drill.Example`
  }

  async live(): Promise<void> {
    const mailbox = this.#mailbox
    // Real servers quote the address in replies, which must not reach a log.
    const words = `<${this.#address}> refused`
    mailbox.behave({ does: 'answer', code: 451, to: 'recipient', words })
    await this.#signUp(true)
    await eventually('the mailbox refuses', () => mailbox.refusals() > 0)
    mailbox.behave({ does: 'accept' })
    await this.#delivered(1)
    await sleep(resendWaitMs)
    await this.#signUp(false)
    await this.#delivered(1)
    await sleep(resendWaitMs)
    mailbox.behave({ does: 'answer', code: 550, to: 'recipient', words })
    await this.#signUp(false)
    await this.#delivered(0)
    const deliveries = await readDeliveries(this.#product.databaseFile)
    this.expect(
      deliveries.some(({ state }) => state === 'failed'),
      'the bounced mail has not failed',
    )
    mailbox.behave({ does: 'accept' })
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
    const answer = await fetch(`${this.#product.url}/metrics`, {
      headers: { authorization: `Bearer ${metricsToken}` },
    })
    this.expect(answer.ok, 'the metrics cannot be read')
    return answer.text()
  }

  /** No link in a mail holds the address, nor do the links and headers of the pages behind them. */
  async lookAtMails(raws: readonly Buffer[]): Promise<void> {
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

  /** Malformed requests with the address in every place it could be logged from. */
  async #sendNonsense(): Promise<void> {
    const { url } = this.#product
    const address = this.#address
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const bodies: [Record<string, string>, string][] = [
      [signUpHeaders, `{"email":"${address}"`],
      [signUpHeaders, JSON.stringify({ email: `${address}@twice` })],
      [signUpHeaders, JSON.stringify({ email: [address] })],
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
    const mail = this.#mailbox.mails.find(({ to }) => to.join().toLowerCase().includes(this.#marker))
    const { text = '' } = await PostalMime.parse(mail?.raw ?? '')
    const [, token = ''] = /\/kit\/([\w-]{22})/.exec(text) ?? []
    return `${this.#product.url}/kit/${token}`
  }
}

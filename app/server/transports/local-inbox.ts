import { hash, randomBytes } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import PostalMime, { type Email } from 'postal-mime'
import { type Colours, palette } from '#content/palette.ts'
import { builtFiles } from '../project-files.ts'
import { escapeHtml } from '#site/text/escape-html.ts'
import { forNodemailer, type Mailer } from './mailer.ts'
import { smtpFailure } from './smtp-failure.ts'

export interface LocalInbox extends Mailer {
  /**
   * Answers GET /dev/inbox · /dev/inbox/ID · /dev/inbox/ID.eml. Undefined: there is no such page.
   */
  answer(path: string): Promise<InboxAnswer | undefined>
  /** Deletes every mail to an identity: an address as the list compares it. */
  erase(identity: string): Promise<void>
}

interface InboxAnswer {
  headers: Record<string, string>
  body: Buffer | string
}

const maxListed = 100
/** The pattern of the id keeps the path inside the folder. */
const inboxPath = /^\/dev\/inbox(?:\/(?<id>\d+-[\da-f]+)(?<ending>\.eml)?|\/?)$/

/** Development only: mail becomes .eml files in a folder, to be looked at in the browser. */
export function createLocalInbox(folder: string, now: () => number = Date.now): LocalInbox {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  const fileOf = (id: string) => join(folder, `${id}.eml`)
  const read = async (id: string) => PostalMime.parse(await readFile(fileOf(id)))
  const newestMails = async () => {
    const newest = (await idsIn(folder)).toSorted().toReversed().slice(0, maxListed)
    return Promise.all(newest.map(async (id) => ({ id, mail: await read(id) })))
  }
  return {
    async send(message) {
      try {
        const { message: bytes } = await transport.sendMail(forNodemailer(message))
        await mkdir(folder, { recursive: true })
        const time = new Date(now()).toISOString().replaceAll(/\D/g, '') // first, so that ids sort by arrival
        await writeFile(fileOf(`${time}-${randomBytes(4).toString('hex')}`), bytes)
        return { kind: 'accepted' }
      } catch (cause) {
        return smtpFailure(cause)
      }
    },

    async answer(path) {
      const asked = inboxPath.exec(path)
      if (!asked) return undefined
      const { id, ending } = asked.groups ?? {}
      if (id === undefined) return page(listPage(await newestMails()))
      const raw = await readFile(fileOf(id)).catch(() => undefined)
      if (!raw) return undefined
      if (ending === '.eml') return { headers: downloadHeaders, body: raw }
      return page(mailPage(id, await PostalMime.parse(raw)), mailPolicy)
    },

    async erase(identity) {
      for (const id of await idsIn(folder)) {
        if (isTo(identity, await read(id))) await rm(fileOf(id), { force: true })
      }
    },

    close: () => Promise.resolve(),
  }
}

function isTo(identity: string, { to = [] }: Email): boolean {
  return to.some(({ address }) => address?.toLowerCase() === identity)
}

async function idsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => [])
  return names.filter((name) => name.endsWith('.eml')).map((name) => name.slice(0, -'.eml'.length))
}

const downloadHeaders = {
  'content-type': 'message/rfc822',
  'content-disposition': 'attachment',
  'cache-control': 'no-store',
}

/** The site's colours and type. */
const style = `
${textFont()}
:root { color-scheme: light dark; font: 17px/1.55 Besley, Georgia, serif; ${variablesOf(palette.light)} }
@media (prefers-color-scheme: dark) { :root { ${variablesOf(palette.dark)} } }
body { margin: 0 auto; max-width: 1100px; padding: 32px 24px; background: var(--paper); color: var(--ink) }
h1 { font-size: clamp(30px, 4vw, 48px); font-weight: 500; line-height: 1.1; letter-spacing: -0.02em; margin: 16px 0 }
:focus-visible { outline: 3px solid var(--slow); outline-offset: 2px }
a, summary { color: inherit; text-decoration: underline 2px var(--slow); text-underline-offset: 4px; overflow-wrap: anywhere }
ol { list-style: none; padding: 0; border-top: 1px solid }
li { padding: 12px 0; border-bottom: 1px solid var(--rule) }
small, dt, dd, pre { font: 13px/20px ui-monospace, Menlo, Consolas, monospace }
small, dt { color: var(--ink2) }
summary { padding: 12px 0; cursor: pointer }
dl { display: grid; grid-template-columns: auto 1fr; gap: 4px 24px }
dd { margin: 0; overflow-wrap: anywhere }
article { border: 1px solid }
pre { white-space: pre-wrap; overflow-wrap: anywhere }
`

/** Empty before the first build. */
function textFont(): string {
  const assets = join(builtFiles, 'assets')
  const files = existsSync(assets) ? readdirSync(assets) : []
  const file = files.find((name) => /^besley-[\w-]{8}\.woff2$/.test(name))
  return file
    ? `@font-face { font-family: Besley; src: url(/assets/${file}); font-weight: 400 600 }`
    : ''
}

function variablesOf(colours: Colours): string {
  return Object.entries(colours)
    .map(([name, value]) => `--${name}: ${value}`)
    .join('; ')
}

/** A page runs no script and asks for nothing, also not one with a mail in it. */
function policyWith(styles: string): string {
  return `default-src 'none'; style-src ${styles}; img-src data:; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
}

const pagePolicy = policyWith(`'sha256-${hash('sha256', style, 'base64')}'`)
const mailPolicy = policyWith(`'unsafe-inline'`)

interface InboxPage {
  title: string
  /** HTML, which begins with the title as a heading. */
  body: string
  head?: string
}

function page({ title, body, head = '' }: InboxPage, policy = pagePolicy): InboxAnswer {
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">${head}<title>${escapeHtml(title)}</title><style>${style}</style></head><body><main>${body}</main></body></html>`
  const headers = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }
  return { headers: { ...headers, 'content-security-policy': policy }, body: html }
}

function listPage(mails: { id: string; mail: Email }[]): InboxPage {
  const lines = mails.map(({ id, mail: { subject = '', to = [], date = '' } }) => {
    const recipients = to.map(({ address = '' }) => address).join(', ')
    return `<li><a href="/dev/inbox/${id}">${escapeHtml(subject)}</a><br><small>to ${escapeHtml(recipients)} · ${escapeHtml(timeOf(date))}</small></li>`
  })
  const list =
    lines.length > 0
      ? `<ol>${lines.join('')}</ol>`
      : `<p>No mail yet. Sign up on <a href="/">the page</a> and look here again.</p>`
  return {
    title: 'Local inbox',
    head: '<meta http-equiv="refresh" content="5">',
    body: `<h1>Local inbox</h1><p>Development only: no mail leaves this machine. Newest first; the page looks again every 5 seconds.</p>${list}`,
  }
}

/** `2026-11-22 09:30 UTC`, from ISO 8601. */
function timeOf(date: string): string {
  return `${date.slice(0, 16).replace('T', ' ')} UTC`
}

function mailPage(id: string, { subject = '', text = '', html, headers }: Email): InboxPage {
  const lines = headers.map(
    ({ key, value }) => `<dt>${escapeHtml(key)}</dt><dd>${escapeHtml(value)}</dd>`,
  )
  return {
    title: subject,
    body: `<p><a href="/dev/inbox">Local inbox</a> · <a href="/dev/inbox/${id}.eml">The raw mail (.eml)</a></p>
<h1>${escapeHtml(subject)}</h1>
<details><summary>${lines.length} headers</summary><dl>${lines.join('')}</dl></details>
<details${html === undefined ? ' open' : ''}><summary>The text part</summary><pre>${escapeHtml(text)}</pre></details>
${shownMail(html)}`,
  }
}

/**
 * In a shadow tree, where the styles of page and mail do not meet, at its full height. A mail
 * without HTML has its text.
 */
function shownMail(html: string | undefined): string {
  if (html === undefined) return ''
  return `<article aria-label="The mail as HTML"><template shadowrootmode="open">${html}</template></article>`
}

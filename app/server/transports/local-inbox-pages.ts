import { hash } from 'node:crypto'
import PostalMime, { type Email } from 'postal-mime'
import { dark, light, type Palette } from '#content/palette.ts'
import { type Answer, htmlAnswer } from '../http/answer.ts'
import { escapeHtml } from '../http/escape-html.ts'
import type { LocalInbox, LocalMail } from './local-inbox.ts'

const root = '/dev/inbox'

/** GET /dev/inbox · /dev/inbox/ID · /dev/inbox/ID/html · /dev/inbox/ID.eml. Undefined: there is no such page. */
export async function answerLocalInbox(inbox: LocalInbox, path: string): Promise<Answer | undefined> {
  if (path === root || path === `${root}/`) return page(listPage(await inbox.list()), pagePolicy)
  const [, id = '', view = ''] = /^\/dev\/inbox\/([\w-]+)(\/html|\.eml)?$/.exec(path) ?? []
  const raw = await inbox.read(id)
  if (!raw) return undefined
  if (view === '.eml') return download(id, raw)
  const mail = await PostalMime.parse(raw)
  return view === '/html' ? page(mailDocument(mail), mailPolicy) : page(mailPage(id, mail), pagePolicy)
}

function page(html: string, policy: string): Answer {
  return htmlAnswer(200, html, { 'content-security-policy': policy })
}

function download(id: string, body: Buffer): Answer {
  return {
    status: 200,
    headers: {
      'content-type': 'message/rfc822',
      'content-disposition': `attachment; filename="${id}.eml"`,
      'cache-control': 'no-store',
    },
    body,
  }
}

const style = `
:root { color-scheme: light dark; ${colours(light)} }
@media (prefers-color-scheme: dark) {
  :root { ${colours(dark)} }
}
body { margin: 0 auto; max-width: 720px; padding: 32px 24px 64px; font: 17px/1.55 Georgia, serif; background: var(--paper); color: var(--ink) }
h1 { margin: 0 0 4px; font-weight: 500; font-size: 32px; line-height: 1.1; letter-spacing: -0.02em }
h2 { margin: 32px 0 8px; font-weight: 500; font-size: 21px }
p { margin: 0 0 24px; color: var(--ink2) }
a { color: inherit; text-decoration-color: var(--slow); text-underline-offset: 3px; overflow-wrap: anywhere }
:focus-visible { outline: 3px solid var(--slow); outline-offset: 2px }
ol, dl { margin: 0; padding: 0; list-style: none; border-top: 1px solid var(--ink) }
li a { display: block; padding: 12px 0; border-bottom: 1px solid var(--rule); text-decoration: none }
li a:hover strong { text-decoration: underline }
strong { display: block; font-weight: 600 }
small, dt { font: 13px/20px ui-monospace, Menlo, Consolas, monospace; color: var(--ink2) }
dl { display: grid; grid-template-columns: auto 1fr; gap: 4px 24px; padding: 12px 0 }
dt { line-height: 26px }
dd { margin: 0; overflow-wrap: anywhere }
iframe { display: block; width: 100%; height: 900px; border: 1px solid var(--ink) }
pre { margin: 0; padding: 16px 0; border-top: 1px solid var(--ink); font: 14px/22px ui-monospace, Menlo, Consolas, monospace; white-space: pre-wrap; overflow-wrap: anywhere }
`

const pagePolicy = `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

/** For the mail itself, which is untrusted: no script and no request; its links open in a new tab. */
const mailPolicy = `default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox`

function listPage(mails: LocalMail[]): string {
  const lines = mails.map(
    ({ id, mail }) =>
      `<li><a href="${root}/${id}"><strong>${escapeHtml(mail.subject ?? '')}</strong><small>to ${escapeHtml(recipients(mail))} · ${escapeHtml(mail.date ?? '')}</small></a></li>`,
  )
  const list =
    lines.length > 0
      ? `<ol>${lines.join('')}</ol>`
      : `<p>No mail yet. Sign up on <a href="/">the page</a> and look here again.</p>`
  return document(
    'Local inbox',
    `<h1>Local inbox</h1><p>Development only: no mail leaves this machine. Newest first; the page looks again every 5 seconds.</p>${list}`,
    '<meta http-equiv="refresh" content="5">',
  )
}

function mailPage(id: string, mail: Email): string {
  const names = ['from', 'to', 'reply-to', 'date', 'message-id', 'list-unsubscribe', 'list-unsubscribe-post']
  const headers = names.flatMap((name) => {
    const value = mail.headers.find((header) => header.key === name)?.value
    return value === undefined ? [] : [`<dt>${name}</dt><dd>${escapeHtml(value)}</dd>`]
  })
  return document(
    mail.subject ?? 'Mail',
    `<p><a href="${root}">Local inbox</a> · <a href="${root}/${id}.eml">The raw mail (.eml)</a></p>
<h1>${escapeHtml(mail.subject ?? '')}</h1>
<h2>Headers</h2><dl>${headers.join('')}</dl>
<h2>As a mail program shows it</h2>
<iframe title="The mail as HTML" src="${root}/${id}/html" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>
<h2>The text part</h2><pre>${escapeHtml(mail.text ?? '')}</pre>`,
  )
}

function mailDocument(mail: Email): string {
  const html = mail.html ?? ''
  return html.includes('<head>')
    ? html.replace('<head>', '<head><base target="_blank">')
    : `<base target="_blank">${html}`
}

function document(title: string, body: string, head = ''): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">${head}<title>${escapeHtml(title)}</title><style>${style}</style></head><body><main>${body}</main></body></html>`
}

function recipients(mail: Email): string {
  return (mail.to ?? []).map((one) => one.address ?? '').join(', ')
}

function colours({ paper, ink, ink2, rule, slow }: Palette): string {
  return `--paper: ${paper}; --ink: ${ink}; --ink2: ${ink2}; --rule: ${rule}; --slow: ${slow}`
}

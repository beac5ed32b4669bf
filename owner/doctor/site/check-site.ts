import { isRelease, program } from '#server/configuration/project-files.ts'
import { newToken } from '#server/subscribers/subscribers.ts'
import { CommandError } from '../../command-line/command-context.ts'
import { explainError } from '../../command-line/explain-error.ts'
import {
  type CheckContext,
  type Finding,
  type FindingId,
  type Outcome,
  type Subject,
  subject,
} from '../finding.ts'
import { ask } from './ask-site.ts'
import { checkClientAddress } from './client-address.ts'

/** On the landing page: app/pages. */
const marker = 'id="app" data-page="landing"'

/** Asks for the landing page as a visitor does, and, if it is ours, for what needs the server behind it. */
export async function checkSite(context: CheckContext, about: Subject): Promise<Outcome> {
  const { publicUrl, production } = context.config
  const answer = await ask(`${publicUrl}/`).catch((fault: CommandError) => fault)
  if (answer instanceof CommandError && !production)
    return about.unknown(
      answer.message,
      `Start the server (${isRelease ? program : 'npm start'}), then run the doctor again.`,
    )
  const fault = answer instanceof CommandError ? answer.message : await faultOfPage(answer, publicUrl)
  if (fault !== undefined)
    return about.wrong(
      fault,
      'Is the server running with this environment, do DNS and proxy lead to it, and has the proxy a certificate for this name? If others can open it, this machine cannot reach its own public address: run the doctor on another machine, too.',
    )
  const others = Object.entries({
    'site.client-address': checkClientAddress(context),
    'site.one-click': checkOneClick(publicUrl),
    'site.share-image': checkShareImage(`${publicUrl}/og.png`),
  })
  const found = others.map(([id, finding]) =>
    finding.catch((why: unknown) => subject(id as FindingId).unknown(explainError(why))),
  )
  return [about.ok(`${publicUrl} shows our page.`), ...(await Promise.all(found))]
}

async function faultOfPage(answer: Response, publicUrl: string): Promise<string | undefined> {
  const html = await answer.text()
  const to = answer.headers.get('location')
  const not = `${publicUrl} does not show our page:`
  if (to !== null) return `${not} it redirects to ${to}.`
  if (answer.status !== 200) return `${not} it answers with status ${answer.status}.`
  if (!html.includes(marker)) return `${not} it shows another page.`
  if (html.includes(`content="${publicUrl}/`)) return undefined
  return `The server behind ${publicUrl} runs with another PUBLIC_URL, which every link in its mail begins with.`
}

/** Posts what a mail program's unsubscribe button posts (RFC 8058), for a link of nobody. */
async function checkOneClick(publicUrl: string): Promise<Finding> {
  const { ok, wrong } = subject('site.one-click')
  const { status } = await ask(`${publicUrl}/kit/${newToken()}/unsubscribe`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  })
  if (status === 404) return ok('One-click unsubscribe reaches the server.')
  return wrong(
    `One-click unsubscribe for a link of nobody answers with status ${status} instead of 404.`,
    'Let the proxy pass POST requests below /kit/ to the server without a redirect.',
  )
}

async function checkShareImage(url: string): Promise<Finding> {
  const { ok, wrong } = subject('site.share-image')
  const { status, headers, body } = await ask(url)
  await body?.cancel()
  if (status === 200 && headers.get('content-type')?.startsWith('image/'))
    return ok(`${url} answers with a picture.`)
  return wrong(
    `${url} answers with status ${status}, not with a picture.`,
    'Open it in a browser: the proxy must serve it to everybody.',
  )
}

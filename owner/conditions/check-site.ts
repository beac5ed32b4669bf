import { isRelease, program } from '#server/settings/project-files.ts'
import { readSecret } from '#server/database/settings.ts'
import { newToken } from '#server/subscribers/subscribers.ts'
import { CommandError } from '#owner/acts/command-context.ts'
import { ask, askServer } from './ask-server.ts'
import {
  type CheckContext,
  type Checks,
  type Outcome,
  startChecks,
  type Subject,
} from './finding.ts'

/** On the landing page: app/site/pages. */
const marker = 'id="app" data-page="landing"'

/**
 * Asks for the landing page as a visitor does, and, if it is ours, for what needs the server behind
 * it.
 */
export async function checkSite(context: CheckContext, about: Subject): Promise<Outcome> {
  const { publicUrl, production } = context.config
  const answer = await ask(`${publicUrl}/`).catch((fault: CommandError) => fault)
  if (answer instanceof CommandError && !production) {
    return about.unknown(
      answer.message,
      `Start the server (${isRelease ? program : 'npm start'}), then run the doctor again.`,
    )
  }
  const fault = answer instanceof CommandError ? answer.message : await faultOf(answer, context)
  if (fault !== undefined) {
    return about.wrong(
      fault,
      'Check that the server runs with this environment, that DNS and proxy lead to it, and that the proxy has a certificate for this name. If others can open the site, this machine cannot reach its own public address: run the doctor on another machine as well.',
    )
  }
  const checks: Checks = {
    'site.client-address': checkClientAddress,
    'site.one-click': checkOneClick,
    'site.share-image': checkShareImage,
  }
  const others = await Promise.all(startChecks(checks, context))
  const shown = context.isHeldBack ? 'answers, and holds the page back' : 'shows our page'
  return [about.ok(`${publicUrl} ${shown}.`), ...others.flat()]
}

async function faultOf(
  answer: Response,
  { config, isHeldBack }: CheckContext,
): Promise<string | undefined> {
  // The checks that follow prove that this page is ours.
  const isOurs = answer.status === 503 && answer.headers.get('x-robots-tag') === 'noindex'
  return isHeldBack && isOurs ? undefined : faultOfPage(answer, config.publicUrl)
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
async function checkOneClick({ config }: CheckContext, { ok, wrong }: Subject) {
  const { status } = await ask(`${config.publicUrl}/kit/${newToken()}/unsubscribe`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  })
  if (status === 404) return ok('One-click unsubscribe reaches the server.')
  return wrong(
    `One-click unsubscribe for a link that nobody has answers with status ${status} instead of 404.`,
    'Let the proxy pass POST requests below /kit/ to the server without a redirect.',
  )
}

async function checkShareImage({ config }: CheckContext, { ok, wrong }: Subject) {
  const url = `${config.publicUrl}/og.png`
  const { status, headers, body } = await ask(url)
  await body?.cancel()
  if (status === 200 && headers.get('content-type')?.startsWith('image/')) {
    return ok(`${url} answers with a picture.`)
  }
  return wrong(
    `${url} answers with status ${status}, not with a picture.`,
    'Open it in a browser: the proxy must serve it to everybody.',
  )
}

async function checkClientAddress(context: CheckContext, about: Subject) {
  const { publicUrl, trustedProxies, production } = context.config
  // The server has the route of this file, and no need for the description of all texts.
  const { withDatabase } = await import('#owner/acts/owned-database.ts')
  const secret = await withDatabase(context, ({ database }) => database.transaction(readSecret))
  const { status, seen } = await askServer(publicUrl, secret)
  if (!seen) {
    return about.wrong(
      `The site does not know a secret from this database (status ${status}): it uses another database, or the proxy blocks POST requests.`,
      'Run the doctor with the same DATABASE_URL as the server, and let the proxy pass on every method.',
    )
  }
  const { address, proxies } = seen
  const asSeen = `The site sees this machine as ${address}`
  if (proxies !== trustedProxies) {
    return about.wrong(
      `${asSeen}: ${proxies === 1 ? 'one proxy names itself' : `${proxies} proxies name themselves`} in X-Forwarded-For, but TRUST_PROXY is ${trustedProxies}.`,
      `Set TRUST_PROXY=${proxies}.`,
    )
  }
  const what = `${asSeen}, with TRUST_PROXY=${trustedProxies}.`
  if (!production || !privateAddress.test(address)) return about.ok(what)
  return about.look(
    what,
    'That is a private address. Run the doctor from a machine elsewhere: if it sees the same, a proxy hides the visitor and must send X-Forwarded-For.',
  )
}

const privateAddress =
  /^(?:::ffff:)?(?:10|127|192\.168|172\.(?:1[6-9]|2\d|3[01])|169\.254)\.|^(?:::1$|f[cd]|fe80)/i

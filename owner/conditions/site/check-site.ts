import { isIP } from 'node:net'
import { isLoopback } from '#server/settings/hosts.ts'
import { isRelease, program } from '#server/project-files.ts'
import { readSecret } from '#server/database/settings.ts'
import { newToken } from '#server/subscribers/subscribers.ts'
import { CommandError, explainError } from '#owner/acts/errors.ts'
import { withDatabase } from '#owner/acts/owned-database.ts'
import type { CheckContext, Outcome } from '../check-context.ts'
import { about, type Condition, type ConditionId } from '../condition.ts'
import { lookUpIpv4, lookUpIpv6 } from '../dns/dns-records.ts'
import { ask, askServer, type Seen } from './ask-server.ts'

/** On the landing page: app/site/pages. */
const marker = 'id="app" data-page="landing"'

const answers = about('site.answers')
const place = 'address'
const wayAdvice =
  'Check that the domain leads to this server, and that a proxy in front passes on every request and has a certificate for this name. If others can open the page, this machine cannot reach its own address: sign in to the desk at that address.'

/**
 * Asks for the landing page as a visitor does, and the server behind it to prove that it is this
 * one. If so, checks what needs it.
 */
export async function checkSite(context: CheckContext): Promise<Outcome> {
  const { settings, config, answerMs } = context
  const { publicUrl, production } = config
  if (!settings.isAddressKnown) {
    return answers.notChecked('Your address on the internet is checked once it is set.')
  }
  const ipv4 = await orNotChecked('site.ipv4', checkIpv4(context))
  const page = await ask(`${publicUrl}/`, {}, answerMs).catch((fault: CommandError) => fault)
  if (page instanceof CommandError) {
    const hasDns = !ipv4.some(({ severity }) => severity === 'not-checked')
    if (!hasDns) return [answers.notChecked(page.message), ...ipv4]
    if (production) return [answers.error(page.message, wayAdvice, { place }), ...ipv4]
    const start = `Start the server (${isRelease ? program : 'npm start'}), then run the check-up again.`
    return answers.notChecked(page.message, start)
  }
  const secret = await withDatabase(context, ({ database }) => database.transaction(readSecret))
  const { seen } = await askServer(publicUrl, secret, answerMs)
  const isHeldBackHere = seen !== undefined && settings.isHeldBack && page.status === 503
  const fault = isHeldBackHere ? undefined : await faultOfPage(page, publicUrl)
  if (fault !== undefined) return [answers.error(fault, wayAdvice, { place }), ...ipv4]
  if (!seen) {
    return answers.error(
      `Another server than this one answers at ${publicUrl}: it does not know the secret of this database.`,
      `If it is this one, the proxy in front does not pass on POST requests. ${wayAdvice}`,
      { place },
    )
  }
  const shown = isHeldBackHere ? 'answers, and holds the page back' : 'shows your page'
  return [
    answers.fine(`${publicUrl} ${shown}.`),
    ...ipv4,
    judgeClientAddress(seen, context),
    ...(await orNotChecked('site.one-click', checkOneClick(context))),
    ...(await orNotChecked('site.share-image', checkShareImage(context))),
  ]
}

function orNotChecked(id: ConditionId, checking: Promise<Condition[]>): Promise<Condition[]> {
  return checking.catch((fault: unknown) => [
    about(id).notChecked(`This could not be checked. ${explainError(fault)}`),
  ])
}

/** Finds nothing if the address is this machine's own. */
async function checkIpv4(context: CheckContext): Promise<Condition[]> {
  const { fine, warning } = about('site.ipv4')
  const { hostname } = new URL(context.config.publicUrl)
  if (isLoopback(hostname) || isIP(hostname) === 4) return []
  const [address] = await lookUpIpv4(context, hostname)
  if (address !== undefined) return [fine(`${hostname} has the IPv4 address ${address}.`)]
  const [other] = await lookUpIpv6(context, hostname)
  if (other === undefined) return [] // the name is not known at all, as the check of the site says
  return [
    warning(
      `${hostname} has no IPv4 address, only ${other}.`,
      'Add an A record with the IPv4 address of your server at your DNS provider. If the server has none, ask its host for one.',
    ),
  ]
}

async function faultOfPage(answer: Response, publicUrl: string): Promise<string | undefined> {
  const html = await answer.text()
  const to = answer.headers.get('location')
  const not = `${publicUrl} does not show your page:`
  if (to !== null) return `${not} it redirects to ${to}.`
  if (answer.status !== 200) return `${not} it answers with status ${answer.status}.`
  if (!html.includes(marker)) return `${not} it shows another page.`
  if (html.includes(`content="${publicUrl}/`)) return undefined
  return `The server behind ${publicUrl} takes itself for another address, which every link in its mail begins with.`
}

/** Posts what a mail program's unsubscribe button posts (RFC 8058), for a link of nobody. */
async function checkOneClick({ config, answerMs }: CheckContext): Promise<Condition[]> {
  const { fine, error } = about('site.one-click')
  const request = {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  }
  const url = `${config.publicUrl}/kit/${newToken()}/unsubscribe`
  const { status } = await ask(url, request, answerMs)
  if (status === 404) return [fine('One-click unsubscribe reaches the server.')]
  return [
    error(
      `One-click unsubscribe for a link that nobody has answers with status ${status} instead of 404.`,
      'Let the proxy in front pass every POST request to the server, without a redirect.',
    ),
  ]
}

async function checkShareImage({ config, answerMs }: CheckContext): Promise<Condition[]> {
  const { fine, error } = about('site.share-image')
  const url = `${config.publicUrl}/og.png`
  const { status, headers, body } = await ask(url, {}, answerMs)
  await body?.cancel()
  if (status === 200 && headers.get('content-type')?.startsWith('image/')) {
    return [fine(`${url} answers with a picture.`)]
  }
  return [
    error(
      `${url} answers with status ${status}, not with a picture.`,
      'Open it in a browser: the proxy must serve it to everybody.',
    ),
  ]
}

function judgeClientAddress({ address, proxies }: Seen, { config }: CheckContext): Condition {
  const { fine, warning, error } = about('site.client-address')
  const { trustedProxies, production } = config
  const asSeen = `The site sees this machine as ${address}`
  const counted = proxies === 1 ? 'one proxy names itself' : `${proxies} proxies name themselves`
  if (proxies !== trustedProxies) {
    return error(
      `${asSeen}: ${counted} in X-Forwarded-For, but the server counts ${trustedProxies}.`,
      'Change this setting of the server, and restart it.',
      { record: { name: 'TRUST_PROXY', type: 'setting', value: String(proxies) } },
    )
  }
  const what = `${asSeen} and counts ${proxies === 1 ? 'one proxy' : `${proxies} proxies`} in front of it.`
  if (!production || !privateAddress.test(address)) return fine(what)
  return warning(
    what,
    'That is a private address. If a machine elsewhere is seen at the same one, a proxy hides your visitors: it must send X-Forwarded-For.',
  )
}

const privateAddress =
  /^(?:::ffff:)?(?:10|127|192\.168|172\.(?:1[6-9]|2\d|3[01])|169\.254)\.|^(?:::1$|f[cd]|fe80)/i

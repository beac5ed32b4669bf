import { explainError } from '../../command-line/explain-error.ts'
import { ask } from './ask-site.ts'
import { type Check, type Finding, type CheckContext, subject } from '../finding.ts'

const answers = subject('site.answers', 'Visitors come here, and so does every link in the mail.')
const ready = subject('site.ready', 'Sign-ups are accepted only while the database answers.')
const clock = subject('site.clock', 'More than 15 s between two machines would send mail twice.')
const image = subject('site.share-image', 'A shared link without its picture looks broken.')

export const siteChecks: Check[] = [
  { about: answers, run: checkAnswer },
  { about: ready, run: checkReady },
  { about: clock, run: checkClock },
  { about: image, run: checkShareImage },
]

/** For checks that need the site, when it does not answer. */
export function notTried(what: string): string {
  return `${what}: not tried without our page.`
}

async function checkAnswer({ site, config: { publicUrl, production } }: CheckContext): Promise<Finding> {
  const found = await site
  switch (found.kind) {
    case 'ours':
      return answers.ok(`${publicUrl} shows our page.`)
    case 'foreign':
      return answers.wrong(
        `${publicUrl} is not our page: ${found.why}.`,
        'Let the proxy pass this address to the server, or set PUBLIC_URL to the address of the page.',
      )
    case 'untrusted':
      return answers.wrong(
        `${publicUrl} cannot be trusted: ${found.why}. Browsers show a warning instead of the page.`,
        "Let the proxy get a certificate for this name from an authority that browsers know, such as Let's Encrypt.",
      )
    case 'silent': {
      const what = `${publicUrl} does not answer: ${found.why}.`
      if (!production)
        return answers.unknown(what, 'Start the server (npm start), then run the doctor again.')
      return answers.wrong(
        what,
        'Is the server running, and do DNS and proxy lead to it? If others can open it, this machine cannot reach its own public address: run the doctor on another machine, too.',
      )
    }
    default:
      return found satisfies never
  }
}

async function checkReady({ site, config: { publicUrl } }: CheckContext): Promise<Finding> {
  if ((await site).kind !== 'ours') return ready.unknown(notTried('Readiness'))
  const advice = 'The log of the server says why. It recovers as soon as the database answers.'
  try {
    const answer = await ask(`${publicUrl}/readyz`)
    const said = (await answer.text()).trim().slice(0, 100)
    if (answer.status === 200 && said === 'ready') return ready.ok('The site is ready to take sign-ups.')
    return ready.wrong(
      `The site is not ready: ${publicUrl}/readyz answers ${answer.status}, "${said}".`,
      advice,
    )
  } catch (fault) {
    return ready.wrong(explainError(fault), advice)
  }
}

const maxApartMs = 15_000

async function checkClock({ site, config, now }: CheckContext): Promise<Finding> {
  if ((await site).kind !== 'ours') return clock.unknown(notTried('Its clock'))
  const before = now()
  const { headers } = await ask(`${config.publicUrl}/readyz`)
  const theirs = Date.parse(headers.get('date') ?? '')
  if (Number.isNaN(theirs)) return clock.unknown('The answers of the site have no Date header.')
  const apartMs = Math.abs(theirs - (before + now()) / 2)
  const apart = `The clocks of the site and of this machine are ${Math.round(apartMs / 1000)} s apart`
  if (apartMs <= maxApartMs) return clock.ok(`${apart}.`)
  return clock.wrong(`${apart}.`, 'Set both by NTP (timedatectl set-ntp true).')
}

async function checkShareImage({ site, config: { publicUrl } }: CheckContext): Promise<Finding> {
  const found = await site
  if (found.kind !== 'ours') return image.unknown(notTried('The picture for shared links'))
  const tag = /<meta[^>]+property="og:image"[^>]*>/.exec(found.html)?.[0] ?? ''
  const url = /content="([^"]+)"/.exec(tag)?.[1] ?? ''
  if (!URL.canParse(url))
    return image.wrong('The page names no picture for shared links.', 'Restore the og:image tag of the page.')
  if (new URL(url).origin !== publicUrl)
    return image.wrong(
      `The page names ${new URL(url).origin} as its address: the server runs with another PUBLIC_URL.`,
      `Restart it with PUBLIC_URL=${publicUrl}, or run the doctor with the environment of the server.`,
    )
  const advice = 'Open it in a browser: the proxy must serve it to everybody.'
  try {
    const answer = await ask(url)
    await answer.body?.cancel()
    const type = answer.headers.get('content-type') ?? 'nothing'
    if (answer.status === 200 && type.startsWith('image/')) return image.ok(`${url} answers with a picture.`)
    return image.wrong(`${url} answers with status ${answer.status} and ${type}, not with a picture.`, advice)
  } catch (fault) {
    return image.wrong(explainError(fault), advice)
  }
}

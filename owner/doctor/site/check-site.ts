import { explainError } from '../../command-line/explain-error.ts'
import { ask } from './ask-site.ts'
import { type Check, type Finding, type CheckContext, subject } from '../finding.ts'

const answers = subject('site.answers', 'Visitors come here, and every link in the mail leads here.')
const ready = subject('site.ready', 'A sign-up is taken only while the database answers.')
const clock = subject('site.clock', 'More than 15 s between two machines would send mail twice.')
const image = subject('site.share-image', 'A shared link without its picture looks broken.')

export const siteChecks: Check[] = [
  { about: answers, run: async (context) => [await checkAnswer(context)] },
  { about: ready, run: async (context) => [await checkReady(context)] },
  { about: clock, run: async (context) => [await checkClock(context)] },
  { about: image, run: async (context) => [await checkShareImage(context)] },
]

/** Said by each check that needs the site and has none. */
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
        'Let the proxy hand this address to the server, or set PUBLIC_URL to where the page really is.',
      )
    case 'untrusted':
      return answers.wrong(
        `${publicUrl} cannot be trusted: ${found.why}. Browsers show a warning in place of the page.`,
        "Let the proxy get a certificate for this name from an authority that browsers know, such as Let's Encrypt.",
      )
    case 'silent': {
      const what = `${publicUrl} does not answer: ${found.why}.`
      if (!production)
        return answers.unknown(what, 'Start the server (npm start), then run the doctor again.')
      return answers.wrong(
        what,
        'Is the server running, and does DNS and proxy lead to it? If others can open it, this machine cannot reach its own public address: run the doctor elsewhere, too.',
      )
    }
    default:
      return found satisfies never
  }
}

async function checkReady({ site, config: { publicUrl } }: CheckContext): Promise<Finding> {
  if ((await site).kind !== 'ours') return ready.unknown(notTried('Whether it is ready'))
  const advice = 'The log of the server tells why; it goes on by itself once the database answers.'
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

const mostApartMs = 15_000

async function checkClock({ site, config, now }: CheckContext): Promise<Finding> {
  if ((await site).kind !== 'ours') return clock.unknown(notTried('Its clock'))
  const before = now()
  const { headers } = await ask(`${config.publicUrl}/readyz`)
  const theirs = Date.parse(headers.get('date') ?? '')
  if (Number.isNaN(theirs)) return clock.unknown('The site does not say what time it has.')
  const apartMs = Math.abs(theirs - (before + now()) / 2)
  const apart = `The clocks of the site and of this machine are ${Math.round(apartMs / 1000)} s apart`
  if (apartMs <= mostApartMs) return clock.ok(`${apart}.`)
  return clock.wrong(`${apart}.`, 'Set both by NTP (timedatectl set-ntp true).')
}

async function checkShareImage({ site, config: { publicUrl } }: CheckContext): Promise<Finding> {
  const found = await site
  if (found.kind !== 'ours') return image.unknown(notTried('The picture for shared links'))
  const tag = /<meta[^>]+property="og:image"[^>]*>/.exec(found.html)?.[0] ?? ''
  const url = /content="([^"]+)"/.exec(tag)?.[1] ?? ''
  if (!URL.canParse(url))
    return image.wrong(
      'The page names no picture for shared links.',
      'Bring og:image back into site/head.tsx.',
    )
  if (new URL(url).origin !== publicUrl)
    return image.wrong(
      `The page says of itself that it is at ${new URL(url).origin}: the server runs with another PUBLIC_URL.`,
      `Restart it with PUBLIC_URL=${publicUrl}, or run the doctor with the environment of the server.`,
    )
  const advice = 'Open it in a browser: the proxy must hand it out to everybody.'
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

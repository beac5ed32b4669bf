import { isRelease, program } from '#server/configuration/project-files.ts'
import { newToken } from '#server/subscribers/subscribers.ts'
import type { CheckContext, Checks, Outcome, Subject } from '../finding.ts'
import { ask, pageOf } from './ask-site.ts'
import { checkClientAddress } from './client-address.ts'

export const siteChecks: Checks = {
  'site.answers': checkAnswer,

  'site.client-address': checkClientAddress,

  /** As a mail program's own unsubscribe button does it (RFC 8058), for a link of nobody. */
  'site.one-click': async (context, { ok, wrong }) => {
    await pageOf(context, 'One-click unsubscribe')
    const { status } = await ask(`${context.config.publicUrl}/kit/${newToken()}/unsubscribe`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    })
    if (status === 404) return ok('One-click unsubscribe reaches the server.')
    return wrong(
      `One-click unsubscribe for a link of nobody answers with status ${status} instead of 404.`,
      'Let the proxy pass POST requests below /kit/ to the server without a redirect.',
    )
  },

  'site.share-image': checkShareImage,
}

async function checkAnswer(context: CheckContext, { ok, wrong, unknown }: Subject): Promise<Outcome> {
  const { publicUrl, production } = context.config
  const found = await context.site
  if ('html' in found) return ok(`${publicUrl} shows our page.`)
  const what = `${publicUrl} does not show our page: ${found.why}.`
  if (found.isSilent && !production)
    return unknown(
      what,
      `Start the server (${isRelease ? program : 'npm start'}), then run the doctor again.`,
    )
  return wrong(
    what,
    'Is the server running, do DNS and proxy lead to it, and has the proxy a certificate for this name? If others can open it, this machine cannot reach its own public address: run the doctor on another machine, too.',
  )
}

async function checkShareImage(context: CheckContext, { ok, wrong }: Subject): Promise<Outcome> {
  const { publicUrl } = context.config
  const html = await pageOf(context, 'The picture for shared links')
  const tag = /<meta[^>]+property="og:image"[^>]*>/.exec(html)?.[0] ?? ''
  const url = /content="([^"]+)"/.exec(tag)?.[1] ?? ''
  if (!URL.canParse(url) || new URL(url).origin !== publicUrl)
    return wrong(
      `The page names its picture for shared links as "${url}": the server runs with another PUBLIC_URL.`,
      `Restart it with PUBLIC_URL=${publicUrl}, or run the doctor with the environment of the server.`,
    )
  const answer = await ask(url)
  await answer.body?.cancel()
  const type = answer.headers.get('content-type') ?? 'nothing'
  if (answer.status === 200 && type.startsWith('image/')) return ok(`${url} answers with a picture.`)
  return wrong(
    `${url} answers with status ${answer.status} and ${type}, not with a picture.`,
    'Open it in a browser: the proxy must serve it to everybody.',
  )
}

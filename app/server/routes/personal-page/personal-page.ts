import type { FastifyInstance, FastifyRequest } from 'fastify'
import { shownAddress } from '#contract/shown-address.ts'
import { findKitFile } from '#site/kit/kit-files.ts'
import { type Gate, isSameSecret, refusals } from '../../http/gate.ts'
import { sendDownload } from '../../http/download.ts'
import { findByToken, isTokenForm, type SubscriberWithLink } from '../../subscribers/subscribers.ts'
import { sendHtml, sendText } from '../../http/replies.ts'
import { readTestAddress } from '../../test-address/state.ts'
import { hasAgreed, readKitPage } from '../../site/kit-page.ts'
import { type Form, personalActs, type PersonalActDeps } from './personal-acts.ts'
import { keepPrivate } from '../../http/personal-headers.ts'
import { compress } from '../../http/prepared-file.ts'
import { whenSent } from '../../http/request.ts'

export interface PersonalPageDeps extends PersonalActDeps {
  gate: Gate
}

/** RFC 8058: what mail programs post, from wherever they are. */
const oneClick = /list-unsubscribe[^]{0,200}?one-click/i
const oneClickActs = new Set(['unsubscribe', 'announcements'])

/** Below `/kit/TOKEN`. GET changes nothing, since mail scanners fetch every link. */
export async function personalPageRoutes(
  app: FastifyInstance,
  deps: PersonalPageDeps,
): Promise<void> {
  keepPrivate(app)
  readForms(app)
  app.setNotFoundHandler((request, reply) => {
    const meant = meantPath(request.url)
    if (meant !== undefined && request.method !== 'POST') return reply.redirect(meant)
    return sendHtml(reply.code(404), deps.site.current.pages.page('kit-not-found', {}))
  })
  pageRoute(app, deps)
  alertsRoute(app, deps)
  fileOrConfirmationRoute(app, deps)
  actRoute(app, deps)
}

/**
 * The path without what stood behind a link in a text: a full stop, a bracket, a slash. Undefined:
 * there is nothing behind it.
 */
function meantPath(url: string): string | undefined {
  return /^(\/kit\/[\w-]{22}(?:\/[\w.-]*[a-z\d])?)(?:[^a-z\d%?]|%[\da-f]{2}|&[a-z]+;)+(?:\?|$)/i.exec(
    url,
  )?.[1]
}

interface Posted {
  form: Form
  isOneClick: boolean
}

/**
 * Browsers post plain forms alone. RFC 8058 3.2 asks mail programs for multipart/form-data, but
 * they send other types, or none, in any case, and with line breaks.
 */
function readForms(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw: { headers } }) => {
    if (!/^[^\s/;]+\/[^\s/;]+/.test(headers['content-type'] ?? '')) delete headers['content-type']
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, async (_: unknown, body: string) => {
    const fields = [...new URLSearchParams(body)]
    const beginning = fields
      .map((field) => field.join('='))
      .join('&')
      .slice(0, 2_000)
    const posted: Posted = {
      form: Object.fromEntries(fields),
      isOneClick: oneClick.test(beginning),
    }
    return posted
  })
}

async function findSubscriber(
  request: FastifyRequest,
  { database }: PersonalPageDeps,
): Promise<SubscriberWithLink | undefined> {
  const { token } = request.params as { token: string } // every path here has one
  const found = isTokenForm(token) ? await findByToken(database, token) : undefined
  return found && isSameSecret(token, found.token) ? found : undefined
}

function pageRoute(app: FastifyInstance, deps: PersonalPageDeps): void {
  app.get('/:token', async (request, reply) => {
    const subscriber = await findSubscriber(request, deps)
    if (!subscriber) return reply.callNotFound()
    whenSent(request, reply, () =>
      deps.counts.countVisit('page-opened', request.headers, subscriber.campaign),
    )
    const html = await readKitPage(subscriber, deps)
    return sendHtml(reply, await compress(request, reply, html))
  })
}

/** Answers with the arrivals at a test address. An open page asks every two seconds. */
function alertsRoute(app: FastifyInstance, deps: PersonalPageDeps): void {
  app.get('/:token/alerts', async (request, reply) => {
    const subscriber = await findSubscriber(request, deps)
    if (!subscriber) return reply.callNotFound()
    return reply.send(await readTestAddress(subscriber, deps))
  })
}

/** The files of the kit, and the confirmation pages with one button, behind the links of a mail. */
function fileOrConfirmationRoute(app: FastifyInstance, deps: PersonalPageDeps): void {
  app.get<{ Params: { name: string } }>('/:token/:name', async (request, reply) => {
    const subscriber = await findSubscriber(request, deps)
    if (!subscriber) return reply.callNotFound()
    const { name } = request.params
    const file = findKitFile(deps.site.current.bundle.kit, name)
    if (file) {
      const visit = `${file.kind}-downloaded` as const
      const { campaign } = subscriber
      whenSent(request, reply, () => deps.counts.countVisit(visit, request.headers, campaign))
      return sendDownload(request, reply, file)
    }
    const html = await confirmationPage(name, subscriber, deps)
    return html === undefined ? reply.callNotFound() : sendHtml(reply, html)
  })
}

/**
 * The page that asks before it happens, or the one that says that it has happened. Undefined: there
 * is none of this name.
 */
async function confirmationPage(
  name: string,
  subscriber: SubscriberWithLink,
  deps: PersonalPageDeps,
): Promise<string | undefined> {
  const { address, token, state } = subscriber
  const { pages, wordings } = deps.site.current
  const values = { address: shownAddress(address), token }
  const hasLeft = state === 'unsubscribed' || state === 'blocked'
  const left = () =>
    state === 'blocked' ? pages.page('blocked', { token }) : pages.page('unsubscribed', values)
  switch (name) {
    case 'unsubscribe':
      return hasLeft ? left() : pages.page('unsubscribe', values)
    case 'announcements':
      if (hasLeft) return left()
      if (subscriber.announcements_refused_at !== null) return readKitPage(subscriber, deps)
      return pages.page('announcements', values)
    case 'news':
      if (hasLeft) return left() // their yes would change nothing
      if (hasAgreed(subscriber)) return readKitPage(subscriber, deps)
      return pages.page('news', { token, wording: wordings.news.mail.hash })
    case 'block':
      return state === 'blocked' ? left() : pages.page('block', values)
    default:
      return undefined
  }
}

function actRoute(app: FastifyInstance, deps: PersonalPageDeps): void {
  interface Route {
    Params: { token: string; action: string }
    Body: Posted | undefined
  }
  // A redirect is not for mail programs, so what stands behind the link is left out here.
  for (const path of ['/:token/:action', '/:token/:action/']) {
    app.post<Route>(path, async (request, reply) => {
      const { token } = request.params
      const action = request.params.action.toLowerCase().replace(/[^a-z]+$/, '')
      const { form, isOneClick: isByMailProgram } = request.body ?? { form: {}, isOneClick: false }
      const refusal = deps.gate.refusalOf(request.raw, 'personal-pages')
      // Mail programs send it from wherever they are: the link is the permission.
      if (refusal && !isByMailProgram) {
        const { status, sentence } = refusals[refusal]
        if (refusal === 'origin') return sendText(reply.code(status), sentence)
        const { pages } = deps.site.current
        return sendHtml(reply.code(status), pages.page('elsewhere', { path: `/kit/${token}` }))
      }
      const act =
        isByMailProgram && !oneClickActs.has(action) ? undefined : personalActs.get(action)
      const subscriber = act && (await findSubscriber(request, deps))
      if (!act || !subscriber) return reply.callNotFound()
      return act(subscriber, deps, reply, form)
    })
  }
}

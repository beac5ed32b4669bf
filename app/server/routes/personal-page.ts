import { dirname } from 'node:path'
import { constants } from 'node:zlib'
import fastifyFormbody from '@fastify/formbody'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { shownAddress } from '#contract/shown-address.ts'
import { dayInWords, type KitRelease } from '#content/releases.ts'
import { isSameSecret, refusals } from '../http/gate.ts'
import type { Transaction } from '../database/database.ts'
import type { RouteContext } from '../start/context.ts'
import { firstRelease, switchAnnouncements } from '../subscribers/announcement-consent.ts'
import { eraseSubscriber } from '../subscribers/erase-subscriber.ts'
import type { SubscriberEvent } from '../subscribers/events.ts'
import { blockInbox, leaveTheList, liftBlock } from '../subscribers/leave-the-list.ts'
import { findByToken, isTokenForm, type SubscriberWithLink } from '../subscribers/subscribers.ts'
import { announcementWording } from '../subscribers/wordings.ts'
import { sendHtml, sendText } from './failures.ts'
import { keepPrivate } from './personal-headers.ts'
import { whenSent } from './request.ts'

export interface PersonalPageDeps extends RouteContext {
  /** The versions of the kit, the newest first. */
  releases: readonly KitRelease[]
  /** The files of the kit. `path` is absolute. */
  kit: readonly { name: string; savedAs: string; mediaType: string; path: string }[]
}

const oneClick = 'One-Click' // RFC 8058

type Form = Record<string, string> | undefined
type ActRequest = FastifyRequest<{ Params: { token: string; action: string }; Body: Form }>

/** Below `/kit/TOKEN`. GET changes nothing, since mail scanners fetch every link. */
export async function personalPageRoutes(
  app: FastifyInstance,
  deps: PersonalPageDeps,
): Promise<void> {
  const { pages } = deps
  keepPrivate(app)
  await app.register(fastifyFormbody)
  // RFC 8058 3.2: mail programs should send it as multipart/form-data. Browsers never do here.
  const isOneClick = /name="?List-Unsubscribe"?\s+One-Click/
  app.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'string' },
    async (_: unknown, body: string) =>
      isOneClick.test(body) ? { 'List-Unsubscribe': oneClick } : undefined,
  )
  app.setNotFoundHandler((_request, reply) =>
    sendHtml(reply.code(404), pages.page('kit-not-found', {})),
  )
  pageRoute(app, deps)
  for (const file of deps.kit) fileRoute(app, file, deps)
  actionRoutes(app, deps)
}

async function find(
  request: FastifyRequest,
  { database }: PersonalPageDeps,
): Promise<SubscriberWithLink | undefined> {
  const { token } = request.params as { token: string } // every path here has one
  const found = isTokenForm(token) ? await findByToken(database, token) : undefined
  return found && isSameSecret(token, found.token) ? found : undefined
}

function pageRoute(app: FastifyInstance, deps: PersonalPageDeps): void {
  // The page repeats nothing of a request, so its compressed length tells nothing.
  const compress = { brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } } }
  app.get('/:token', { compress }, async (request, reply) => {
    const subscriber = await find(request, deps)
    if (!subscriber) return reply.callNotFound()
    whenSent(request, reply, () =>
      deps.counts.countVisit('page-opened', request.headers, subscriber.campaign),
    )
    return sendHtml(reply, personalPage(subscriber, deps))
  })
}

function fileRoute(
  app: FastifyInstance,
  file: PersonalPageDeps['kit'][number],
  deps: PersonalPageDeps,
): void {
  const { name, savedAs, mediaType, path } = file
  const visit = name.endsWith('.pdf') ? 'guide-downloaded' : 'script-downloaded'
  app.get(`/:token/${name}`, async (request, reply) => {
    const subscriber = await find(request, deps)
    if (!subscriber) return reply.callNotFound()
    whenSent(request, reply, () =>
      deps.counts.countVisit(visit, request.headers, subscriber.campaign),
    )
    reply.header('content-disposition', `attachment; filename="${savedAs}"`).type(mediaType)
    return reply.sendFile(name, dirname(path), { cacheControl: false, contentType: false })
  })
}

function actionRoutes(app: FastifyInstance, deps: PersonalPageDeps): void {
  const { pages, gate } = deps
  app.get<{ Params: { action: string } }>('/:token/:action', async (request, reply) => {
    const subscriber = await find(request, deps)
    const { action } = request.params
    if (
      !subscriber ||
      !(action === 'unsubscribe' || action === 'announcements' || action === 'block')
    ) {
      return reply.callNotFound()
    }
    const { address, token, state } = subscriber
    if (action === 'block' && state === 'blocked') {
      return sendHtml(reply, pages.page('blocked', { token }))
    }
    return sendHtml(reply, pages.page(action, { address: shownAddress(address), token }))
  })

  app.post('/:token/:action', async (request: ActRequest, reply) => {
    const isOneClick = request.body?.['List-Unsubscribe'] === oneClick
    const refusal = gate.refusalOf(request.raw, 'personal-pages')
    // Mail programs send it from wherever they are: the link is the permission.
    if (refusal && !isOneClick) {
      const { status, sentence } = refusals[refusal]
      return sendText(reply.code(status), sentence)
    }
    const subscriber = await find(request, deps)
    if (
      !subscriber ||
      (isOneClick && !['unsubscribe', 'announcements'].includes(request.params.action))
    ) {
      return reply.callNotFound()
    }
    return act(request, reply, subscriber, deps)
  })
}

function personalPage(
  subscriber: SubscriberWithLink,
  { pages, releases }: PersonalPageDeps,
): string {
  const {
    address,
    token,
    state,
    signed_up_at: signedUpAt,
    announcements_agreed_at: since,
  } = subscriber
  const isNarrow =
    announcementWording.covers === 'news' && subscriber.announcements_cover === 'versions'
  const announcements =
    state !== 'active' ? 'left' : since === null ? 'off' : isNarrow ? 'versions' : 'on'
  const first = firstRelease(releases, signedUpAt)?.version ?? ''
  const values = { token, since: since === null ? '' : dayInWords(since) }
  const whatChanged = pages.part(`what-changed-${first}-${announcements}`, values)
  return pages.page('kit', { address: shownAddress(address), token }, { whatChanged })
}

async function act(
  request: ActRequest,
  reply: FastifyReply,
  subscriber: SubscriberWithLink,
  deps: PersonalPageDeps,
) {
  const { database, pages, now, recordEvent } = deps
  const { id, address, token, campaign } = subscriber
  /** `work` tells if it changed anything. */
  const change = (event: SubscriberEvent, work: (transaction: Transaction) => Promise<boolean>) =>
    database.transaction(async (transaction) => {
      if (await work(transaction)) await recordEvent(transaction, event, id, now())
    })
  switch (request.params.action) {
    case 'announcements': {
      const to = request.body?.['announcements'] === 'on' ? 'on' : 'off'
      const event = to === 'on' ? 'consented' : 'left'
      await change(event, (transaction) => switchAnnouncements(transaction, subscriber, to, now()))
      const switched = await findByToken(database, token)
      // A redirect would count as a visit, and RFC 8058 forbids it.
      return switched ? sendHtml(reply, personalPage(switched, deps)) : reply.callNotFound()
    }
    case 'unsubscribe':
      await change('left', (transaction) => leaveTheList(transaction, id, 'unsubscribed', now()))
      return sendHtml(reply, pages.page('unsubscribed', { address: shownAddress(address) }))
    case 'block':
      await block(subscriber, deps)
      return sendHtml(reply, pages.page('blocked', { token }))
    case 'unblock': {
      const isLifted = await database.transaction((transaction) =>
        liftBlock(transaction, subscriber, now()),
      )
      return isLifted
        ? sendHtml(reply, pages.page('unblocked', {}))
        : sendHtml(reply, pages.page('blocked', { token }))
    }
    case 'erase':
      await change('erased', (transaction) => eraseSubscriber(transaction, id, now()))
      return sendHtml(
        reply,
        pages.page(database.leavesTraces() ? 'erased-until-overwritten' : 'erased', {}),
      )
    case 'taken': // sent by the button "Copy script"
      deps.counts.countFrom('taken-from', campaign)
      return reply.code(204).send()
    default:
      return reply.callNotFound()
  }
}

async function block(
  subscriber: SubscriberWithLink,
  { database, now, recordEvent }: PersonalPageDeps,
): Promise<void> {
  await database.transaction(async (transaction) => {
    for (const left of await blockInbox(transaction, subscriber, now())) {
      await recordEvent(transaction, 'left', left, now())
    }
  })
}

import { dirname } from 'node:path'
import { constants } from 'node:zlib'
import fastifyFormbody from '@fastify/formbody'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { shownAddress } from '#contract/shown-address.ts'
import { type Gate, isSameSecret, refusals } from '../http/gate.ts'
import { findByToken, isTokenForm, type SubscriberWithLink } from '../subscribers/subscribers.ts'
import { sendHtml, sendText } from './failures.ts'
import { kitPage } from './kit-page.ts'
import { type Form, personalActs, type PersonalActDeps } from './personal-acts.ts'
import { keepPrivate } from './personal-headers.ts'
import { whenSent } from './request.ts'

export interface PersonalPageDeps extends PersonalActDeps {
  gate: Gate
  kit: readonly ServedKitFile[]
}

/** A file of the kit. */
export interface ServedKitFile {
  /** In its address. */
  name: string
  /** The name that a browser saves it by. */
  savedAs: string
  mediaType: string
  /** Absolute. */
  path: string
}

/** RFC 8058: what mail programs post, from wherever they are. */
const oneClick = { field: 'List-Unsubscribe', value: 'One-Click' }
const oneClickActs = new Set(['unsubscribe', 'announcements'])

/** Below `/kit/TOKEN`. GET changes nothing, since mail scanners fetch every link. */
export async function personalPageRoutes(
  app: FastifyInstance,
  deps: PersonalPageDeps,
): Promise<void> {
  const { pages } = deps
  keepPrivate(app)
  await app.register(fastifyFormbody)
  readOneClick(app)
  app.setNotFoundHandler((_request, reply) =>
    sendHtml(reply.code(404), pages.page('kit-not-found', {})),
  )
  pageRoute(app, deps)
  for (const file of deps.kit) fileRoute(app, file, deps)
  questionRoute(app, deps)
  actRoute(app, deps)
}

/** RFC 8058 3.2: mail programs should send it as multipart/form-data. Browsers never do here. */
function readOneClick(app: FastifyInstance): void {
  const inBody = /name="?List-Unsubscribe"?\s+One-Click/
  app.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'string' },
    async (_: unknown, body: string): Promise<Form | undefined> =>
      inBody.test(body) ? { [oneClick.field]: oneClick.value } : undefined,
  )
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
    return sendHtml(reply, kitPage(subscriber, deps))
  })
}

function fileRoute(app: FastifyInstance, file: ServedKitFile, deps: PersonalPageDeps): void {
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

/** The pages with one button, behind the links of a mail. */
function questionRoute(app: FastifyInstance, deps: PersonalPageDeps): void {
  const { pages } = deps
  app.get<{ Params: { action: string } }>('/:token/:action', async (request, reply) => {
    const subscriber = await find(request, deps)
    if (!subscriber) return reply.callNotFound()
    const { token, state } = subscriber
    const values = { address: shownAddress(subscriber.address), token }
    switch (request.params.action) {
      case 'unsubscribe':
        return sendHtml(reply, pages.page('unsubscribe', values))
      case 'announcements':
        return sendHtml(reply, pages.page('announcements', values))
      case 'block': {
        const isBlocked = state === 'blocked'
        const page = isBlocked ? pages.page('blocked', { token }) : pages.page('block', values)
        return sendHtml(reply, page)
      }
      default:
        return reply.callNotFound()
    }
  })
}

function actRoute(app: FastifyInstance, deps: PersonalPageDeps): void {
  app.post<{ Params: { action: string }; Body: Form | undefined }>(
    '/:token/:action',
    async (request, reply) => {
      const { action } = request.params
      const form = request.body ?? {}
      const isOneClick = form[oneClick.field] === oneClick.value
      const refusal = deps.gate.refusalOf(request.raw, 'personal-pages')
      // Mail programs send it from wherever they are: the link is the permission.
      if (refusal && !isOneClick) {
        const { status, sentence } = refusals[refusal]
        return sendText(reply.code(status), sentence)
      }
      const act = isOneClick && !oneClickActs.has(action) ? undefined : personalActs.get(action)
      const subscriber = act && (await find(request, deps))
      if (!act || !subscriber) return reply.callNotFound()
      return act(subscriber, deps, reply, form)
    },
  )
}

import type { IncomingMessage } from 'node:http'
import { dayInWords, type KitRelease } from '#content/releases.ts'
import { inTransaction } from '../database/database.ts'
import { answerInTime } from '../database/faults.ts'
import { type Answer, htmlAnswer } from '../http/answer.ts'
import { isSameSecret, refusalAnswer } from '../http/gate.ts'
import type { Pages } from '../http/pages.ts'
import { readBody } from '../http/request.ts'
import { answerStaticFile, compressAnswer, type StaticFile } from '../http/static-files.ts'
import type { ServerContext } from '../start/extension.ts'
import { type Counts, visitorOf } from '../statistics/counts.ts'
import { firstRelease, switchAnnouncements } from '../subscribers/announcement-consent.ts'
import { blockInbox, isBlockedBy, liftBlock } from '../subscribers/blocked-addresses.ts'
import { eraseSubscribers } from '../subscribers/erase-subscribers.ts'
import { leaveTheList } from '../subscribers/leave-the-list.ts'
import { findByToken, isTokenForm, recordOpening } from '../subscribers/subscribers.ts'

export interface PersonalPageDeps extends ServerContext {
  pages: Pages
  /** By file name. */
  downloads: ReadonlyMap<string, StaticFile>
  /** The versions of the kit, the newest first. */
  releases: readonly KitRelease[]
  counts: Counts
}

const scrubTimeoutMs = 1_500
const maxFormBytes = 1_000

type Subscriber = NonNullable<Awaited<ReturnType<typeof findByToken>>> & { token: string }

/** Headers of every answer below `/kit/` and `/receipts/`, 404s too: no cache may store it, and no Referer may carry its address. */
export const personalHeaders = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
}

/** Answers below `/kit/TOKEN`. GET changes nothing, since mail scanners fetch every link. Undefined: there is no such page. */
export async function answerPersonalPage(
  request: IncomingMessage,
  path: string,
  deps: PersonalPageDeps,
): Promise<Answer | undefined> {
  const [, , token = '', action = '', ...rest] = path.split('/')
  const isPost = request.method === 'POST'
  if (!isTokenForm(token) || rest.length > 0) return undefined
  if (!isPost && request.method !== 'GET' && request.method !== 'HEAD') return undefined
  if (isPost) {
    const admission = deps.gate.admit(request, 'personal-pages')
    if (admission.kind === 'refused') return refusalAnswer(admission)
  }
  const found = await answerInTime(findByToken(deps.database.query, token))
  const subscriber = found && isSameSecret(token, found.token ?? '') ? { ...found, token } : undefined
  if (action === 'block' || action === 'unblock')
    return answerBlock(isPost ? action : 'show', token, subscriber, deps)
  if (!subscriber) return undefined
  return isPost ? act(request, subscriber, action, deps) : show(request, subscriber, action, deps)
}

/** A block outlives the erasure of its subscriber, and the link can still lift it. */
async function answerBlock(
  action: 'block' | 'unblock' | 'show',
  token: string,
  subscriber: Subscriber | undefined,
  deps: PersonalPageDeps,
): Promise<Answer | undefined> {
  const { pages } = deps
  const isBlocked = await isBlockedBy(deps, token)
  if (!subscriber && (!isBlocked || action === 'block')) return undefined
  if (action === 'unblock') {
    await liftBlock(deps, token)
    return htmlAnswer(200, pages.page('unblocked', {}))
  }
  if (subscriber && action === 'block') await blockInbox(deps, subscriber, token)
  else if (subscriber && !isBlocked)
    return htmlAnswer(200, pages.page('block', { address: subscriber.address, token }))
  return htmlAnswer(200, pages.page('blocked', { token }))
}

async function show(
  request: IncomingMessage,
  subscriber: Subscriber,
  action: string,
  deps: PersonalPageDeps,
): Promise<Answer | undefined> {
  const { pages, downloads, database, counts, now } = deps
  const { id, address, token } = subscriber
  if (action === 'unsubscribe' || action === 'announcements')
    return htmlAnswer(200, pages.page(action, { address, token }))
  const download = downloads.get(action)
  if (action !== '' && !download) return undefined
  // It is not awaited, so that page and files are served even while the database refuses writes.
  if (deps.config.keepUnopenedDays !== Infinity) void recordOpening(database.query, id, now()).catch(() => {})
  const answer = download
    ? answerStaticFile(request, download)
    : await compressAnswer(request, htmlAnswer(200, personalPage(subscriber, deps)))
  countVisit(request, action, answer, counts)
  return answer
}

function personalPage(subscriber: Subscriber, { pages, releases }: PersonalPageDeps): string {
  const { address, token, state, signed_up_at: signedUpAt, announcements_agreed_at: since } = subscriber
  const announcements = state !== 'active' ? 'left' : since === null ? 'off' : 'on'
  const first = firstRelease(releases, signedUpAt)?.version ?? ''
  const values = { token, since: since === null ? '' : dayInWords(since) }
  const whatChanged = pages.part(`what-changed-${first}-${announcements}`, values)
  return pages.page('kit', { address, token }, { whatChanged })
}

async function act(
  request: IncomingMessage,
  { id, address, token }: Subscriber,
  action: string,
  deps: PersonalPageDeps,
): Promise<Answer | undefined> {
  const { database, pages, now } = deps
  switch (action) {
    case 'announcements': {
      const to = await readSwitch(request)
      if (!to) return undefined
      await inTransaction(database.query, (it) => switchAnnouncements(it, id, to, now()))
      const switched = await findByToken(database.query, token)
      // A redirect would count as a visit, and RFC 8058 forbids it.
      return switched && compressAnswer(request, htmlAnswer(200, personalPage({ ...switched, token }, deps)))
    }
    case 'unsubscribe':
      await leaveTheList(database, id, 'unsubscribed', now())
      return htmlAnswer(200, pages.page('unsubscribed', { address, token }))
    case 'erase': {
      const isProved = await eraseSubscribers(database, [id], now(), scrubTimeoutMs)
      return htmlAnswer(200, pages.page(isProved ? 'erased' : 'erased-with-traces', {}))
    }
    default:
      return undefined
  }
}

/** Reads the state that the form names. A mail program's one-click request names none: off. Undefined: it was cut off. */
async function readSwitch(request: IncomingMessage): Promise<'on' | 'off' | undefined> {
  const body = await readBody(request, maxFormBytes)
  if (body.kind === 'cut-off') return undefined
  const form = new URLSearchParams(body.kind === 'whole' ? body.bytes.toString() : '')
  return form.get('announcements') === 'on' ? 'on' : 'off'
}

/** Counts a page or a file that is sent, once. `file` is empty for the page. The counts are totals of a day. */
function countVisit(
  { method, headers }: IncomingMessage,
  file: string,
  answer: Answer,
  counts: Counts,
): void {
  // A 304 and the rest of a broken download do not count.
  const isFromItsStart =
    answer.status === 200 ||
    (answer.status === 206 && answer.headers['content-range']?.startsWith('bytes 0-'))
  if (method !== 'GET' || !isFromItsStart) return
  const download = file.endsWith('.pdf') ? 'guide-downloaded' : 'script-downloaded'
  counts.countVisit(file === '' ? 'page-opened' : download, visitorOf(headers, file !== ''))
}

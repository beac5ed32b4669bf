import type { IncomingMessage } from 'node:http'
import { dayInWords, type KitRelease } from '#content/releases.ts'
import { answerInTime } from '../database/faults.ts'
import type { Database } from '../database/database.ts'
import { type Answer, htmlAnswer } from '../http/answer.ts'
import { type Gate, isSameSecret, refusalAnswer } from '../http/gate.ts'
import type { Pages } from '../http/pages.ts'
import { readBody } from '../http/request.ts'
import { answerStaticFile, compressAnswer, type StaticFile } from '../http/static-files.ts'
import { type Counts, type Visit, visitorOf } from '../statistics/counts.ts'
import { firstRelease, switchAnnouncements } from '../subscribers/announcement-consent.ts'
import { blockInbox, isBlockedBy, liftBlock } from '../subscribers/blocked-addresses.ts'
import { eraseFromTheList, leaveTheList } from '../subscribers/leave-the-list.ts'
import { findByToken, isTokenForm, noteOpened } from '../subscribers/subscribers.ts'

export interface PersonalPageDeps {
  database: Database
  gate: Gate
  pages: Pages
  /** By file name. */
  downloads: ReadonlyMap<string, StaticFile>
  /** The versions of the kit, the newest first. */
  releases: readonly KitRelease[]
  /** Key of the hashes of blocked inboxes. */
  secret: string
  /** Infinity: the date of the first opening is not recorded. */
  keepUnopenedDays: number
  counts: Counts
  now: () => number
}

const scrubPatienceMs = 1_500
const maxFormBytes = 1_000

type Subscriber = NonNullable<Awaited<ReturnType<typeof findByToken>>> & { token: string }

/** For every answer below `/kit/` and `/receipts/`, 404s too: only its reader may keep it, and its address may not leave in a Referer. */
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
  if (!isTokenForm(token) || rest.length > 0) return undefined
  if (request.method === 'POST') {
    const admission = deps.gate.admit(request, 'personal-pages')
    if (admission.kind === 'refused') return refusalAnswer(admission)
  }
  const found = await answerInTime(findByToken(deps.database.query, token))
  if (!found || !isSameSecret(token, found.token ?? ''))
    return answerHolderOfBlock(request, token, action, deps)
  const subscriber = { ...found, token }
  switch (request.method) {
    case 'GET':
    case 'HEAD':
      return show(request, subscriber, action, deps)
    case 'POST':
      return act(request, subscriber, action, deps)
    default:
      return undefined
  }
}

async function show(
  request: IncomingMessage,
  subscriber: Subscriber,
  action: string,
  deps: PersonalPageDeps,
) {
  const { pages, downloads, database, counts, now } = deps
  const { id, address, token } = subscriber
  if (action === 'unsubscribe' || action === 'announcements')
    return htmlAnswer(200, pages.page(action, { address, token }))
  if (action === 'block' || action === 'unblock') {
    const isBlocked = await isBlockedBy(deps, token)
    return htmlAnswer(
      200,
      isBlocked ? pages.page('blocked', { token }) : pages.page('block', { address, token }),
    )
  }
  const download = downloads.get(action)
  if (action !== '' && !download) return undefined
  // Not awaited, so that page and files are served even while nothing can be written.
  if (deps.keepUnopenedDays !== Infinity) void noteOpened(database.query, id, now()).catch(() => {})
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

async function act(request: IncomingMessage, subscriber: Subscriber, action: string, deps: PersonalPageDeps) {
  const { database, pages, now } = deps
  const { id, address, token } = subscriber
  switch (action) {
    case 'announcements': {
      const to = await readSwitch(request)
      await database.query.transaction().execute((it) => switchAnnouncements(it, id, to, now()))
      const switched = await findByToken(database.query, token)
      // Not a redirect, which would count as a visit. RFC 8058 allows none either.
      return switched && compressAnswer(request, htmlAnswer(200, personalPage({ ...switched, token }, deps)))
    }
    case 'unsubscribe':
      await leaveTheList(database, id, 'unsubscribed', now())
      return htmlAnswer(200, pages.page('unsubscribed', { address, token }))
    case 'block':
      await blockInbox(deps, subscriber, token)
      return htmlAnswer(200, pages.page('blocked', { token }))
    case 'unblock':
      return unblock(token, deps)
    case 'erase':
      return htmlAnswer(200, pages.page(await erase(database, id, now()), {}))
    default:
      return undefined
  }
}

async function unblock(token: string, deps: PersonalPageDeps) {
  await liftBlock(deps, token)
  return htmlAnswer(200, deps.pages.page('unblocked', {}))
}

/** A block outlives the erasure of its subscriber, and the link can still lift it. */
async function answerHolderOfBlock(
  { method }: IncomingMessage,
  token: string,
  action: string,
  deps: PersonalPageDeps,
): Promise<Answer | undefined> {
  if ((action !== 'block' && action !== 'unblock') || !(await isBlockedBy(deps, token))) return undefined
  if (method === 'POST' && action === 'unblock') return unblock(token, deps)
  return method === 'GET' || method === 'HEAD'
    ? htmlAnswer(200, deps.pages.page('blocked', { token }))
    : undefined
}

/** The form of the personal page names the state; a mail program's one-click request does not, and ends the mail. */
async function readSwitch(request: IncomingMessage): Promise<'on' | 'off'> {
  const body = await readBody(request, maxFormBytes)
  const form = new URLSearchParams(body.kind === 'whole' ? body.bytes.toString() : '')
  return form.get('announcements') === 'on' ? 'on' : 'off'
}

/** Resolves to the name of the page that reports the result. */
async function erase(database: Database, id: number, now: number) {
  const isProved = await eraseFromTheList(database, [id], now, scrubPatienceMs)
  return isProved ? 'erased' : 'erased-with-traces'
}

/** Counts a page or a file that is sent, once. `file` is empty for the page. The counts are totals of a day. */
function countVisit(request: IncomingMessage, file: string, answer: Answer, counts: Counts): void {
  if (request.method !== 'GET' || !isFromItsStart(answer)) return
  counts.countVisit(visitOf(file), visitorOf(request.headers, file !== ''))
}

/** False for what the client has already (304), and for the rest of a broken download. */
function isFromItsStart({ status, headers }: Answer): boolean {
  return status === 200 || (status === 206 && headers['content-range']?.startsWith('bytes 0-') === true)
}

function visitOf(file: string): Visit {
  if (file === '') return 'page-opened'
  return file.endsWith('.pdf') ? 'guide-downloaded' : 'script-downloaded'
}

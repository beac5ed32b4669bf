import type { IncomingMessage } from 'node:http'
import { answerInTime } from '../database/faults.ts'
import type { Database } from '../database/database.ts'
import { type Answer, htmlAnswer } from '../http/answer.ts'
import { type Gate, isSameSecret, refusalAnswer } from '../http/gate.ts'
import type { Pages } from '../http/pages.ts'
import { answerStaticFile, type StaticFile } from '../http/static-files.ts'
import { type Counts, type Visit, visitorOf } from '../statistics/counts.ts'
import { eraseFromTheList, leaveTheList } from '../subscribers/leave-the-list.ts'
import { findByToken, isTokenForm, noteOpened } from '../subscribers/subscribers.ts'

export interface PersonalPageDeps {
  database: Database
  gate: Gate
  pages: Pages
  /** By file name. */
  downloads: ReadonlyMap<string, StaticFile>
  /** Infinity: the date of the first opening is not recorded. */
  keepUnopenedDays: number
  counts: Counts
  now: () => number
}

const scrubPatienceMs = 1_500

type Subscriber = NonNullable<Awaited<ReturnType<typeof findByToken>>>

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
  const subscriber = await answerInTime(findByToken(deps.database.query, token))
  if (!subscriber || !isSameSecret(token, subscriber.token ?? '')) return undefined
  switch (request.method) {
    case 'GET':
    case 'HEAD':
      return show(request, subscriber, token, action, deps)
    case 'POST':
      return act(subscriber, token, action, deps)
    default:
      return undefined
  }
}

async function show(
  request: IncomingMessage,
  subscriber: Subscriber,
  token: string,
  action: string,
  deps: PersonalPageDeps,
) {
  const { pages, downloads, database, counts, now } = deps
  const { id, address } = subscriber
  const download = downloads.get(action)
  if (action !== '' && action !== 'unsubscribe' && !download) return undefined
  if (action === 'unsubscribe') return htmlAnswer(200, pages.page('unsubscribe', { address, token }))
  // Not awaited, so that page and files are served even while nothing can be written.
  if (deps.keepUnopenedDays !== Infinity) void noteOpened(database.query, id, now()).catch(() => {})
  const answer = download
    ? answerStaticFile(request, download)
    : htmlAnswer(200, pages.page('kit', { address, token }))
  countVisit(request, action, answer, counts)
  return answer
}

async function act(
  { id, address }: Subscriber,
  token: string,
  action: string,
  { database, pages, now }: PersonalPageDeps,
) {
  switch (action) {
    case 'unsubscribe':
      await leaveTheList(database, id, 'unsubscribed', now())
      return htmlAnswer(200, pages.page('unsubscribed', { address, token }))
    case 'erase':
      return htmlAnswer(200, pages.page(await erase(database, id, now()), {}))
    default:
      return undefined
  }
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

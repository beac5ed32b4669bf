import type { IncomingMessage } from 'node:http'
import { functionsPath, receiptsPath, signUpPath } from '#contract/sign-up.ts'
import { type Database, isDatabaseFault } from '../database/database.ts'
import { answerInTime } from '../database/faults.ts'
import { isMigrated } from '../database/open-database.ts'
import { readBacklog } from '../deliveries/backlog.ts'
import type { RunningExtension } from '../start/extension.ts'
import {
  answerPersonalPage,
  personalHeaders,
  type PersonalPageDeps,
} from '../personal-page/personal-page-endpoint.ts'
import { answerReceipt } from '../sign-up/receipts.ts'
import { answerSignUp, type SignUpDeps } from '../sign-up/sign-up-endpoint.ts'
import { visitorOf } from '../statistics/counts.ts'
import { countSubscribers } from '../subscribers/subscribers.ts'
import { type Answer, corsHeaders, htmlAnswer, jsonAnswer, textAnswer } from './answer.ts'
import { isFromThisMachine } from './gate.ts'
import { acceptsHtml, bearerToken, requestPath } from './request.ts'
import type { App } from './server.ts'
import { answerStaticFile, type StaticFile } from './static-files.ts'

export interface AppDeps extends SignUpDeps, PersonalPageDeps {
  /** By path: assets and the files at the site's root. */
  files: ReadonlyMap<string, StaticFile>
  extensions: readonly RunningExtension[]
  /** Development only. */
  answerLocalInbox: ((path: string) => Promise<Answer | undefined>) | undefined
}

type Answering = Answer | undefined | Promise<Answer | undefined>

/** Answers every request of the product. Every exception ends here, as an answer. */
export function createApp(deps: AppDeps): App {
  return async (request) => {
    const path = requestPath(request)
    if (path === undefined) return textAnswer(400, 'Bad request', { connection: 'close' })
    let answer: Answer
    try {
      const found = await (route(request, path, deps) ?? askExtensions(request, path, deps))
      answer = found ?? notFound(request, path, deps)
    } catch (cause) {
      answer = answerFailure(request, cause, deps)
    }
    const isPersonal = path.startsWith('/kit/') || path.startsWith(receiptsPath)
    return isPersonal ? { ...answer, headers: { ...answer.headers, ...personalHeaders } } : answer
  }
}

/** Finds the answer for every path of the product, except those of the extensions. */
function route(request: IncomingMessage, path: string, deps: AppDeps): Answering {
  const { method } = request
  if (path === signUpPath || (method === 'OPTIONS' && path.startsWith(functionsPath)))
    return answerSignUp(request, deps)
  if (path.startsWith(functionsPath)) return answerUnknownFunction(request, deps)
  if (path.startsWith('/kit/')) return answerPersonalPage(request, path, deps)
  if (method !== 'GET' && method !== 'HEAD') return undefined
  if (path.startsWith(receiptsPath)) return answerReceipt(request, path, deps)
  if (path === '/') return answerLanding(request, deps)
  if (path === '/healthz') return textAnswer(200, 'ok')
  if (path === '/readyz') return answerReady(deps.database)
  if (path === '/metrics') return answerMetrics(request, deps)
  if (path.startsWith('/dev/inbox'))
    return isFromThisMachine(request) ? deps.answerLocalInbox?.(path) : undefined
  const file = deps.files.get(path)
  return file && answerStaticFile(request, file)
}

async function askExtensions(
  request: IncomingMessage,
  path: string,
  { extensions }: AppDeps,
): Promise<Answer | undefined> {
  for (const { answer } of extensions) {
    const answered = await answer?.(request, path)
    if (answered) return answered
  }
  return undefined
}

/** A page to a browser that shows it, JSON to scripts and programs. */
function answerFailure(request: IncomingMessage, cause: unknown, { log, pages, gate }: AppDeps): Answer {
  log.error('request failed', { method: request.method, cause })
  const { status, error, headers } = isDatabaseFault(cause) ? failures.unavailable : failures.fault
  if (acceptsHtml(request))
    return htmlAnswer(status, pages.page('result-error', { address: '', form: '', campaign: '' }), headers)
  return jsonAnswer(status, { error }, { ...headers, ...corsHeaders(gate.corsOrigin(request)) })
}

const failures = {
  unavailable: {
    status: 503,
    error: { code: 'unavailable', message: 'The database does not answer. Please try again in a moment.' },
    headers: { 'retry-after': '30' },
  },
  fault: {
    status: 500,
    error: { code: 'internal_error', message: 'Something went wrong here. Please try again.' },
    headers: {},
  },
}

/** Counts the page each time it is sent. A 304, for a client that has it already, does not count. */
function answerLanding(request: IncomingMessage, { pages, counts }: AppDeps): Answer {
  const answer = answerStaticFile(request, pages.landing)
  if (request.method === 'GET' && answer.status === 200)
    counts.countVisit('landing-viewed', visitorOf(request.headers))
  return answer
}

/** Does what the gateway of Supabase does: a script on another origin can read that the function does not exist. */
function answerUnknownFunction(request: IncomingMessage, { gate }: AppDeps): Answer {
  const error = { code: 'not_found', message: 'There is no function of this name.' }
  return jsonAnswer(404, { error }, corsHeaders(gate.corsOrigin(request)))
}

/** Returns true if the database answers and every migration is applied. */
async function answerReady(database: Database): Promise<Answer> {
  try {
    const isReady = await answerInTime(isMigrated(database))
    return isReady ? textAnswer(200, 'ready') : textAnswer(503, 'migrations are missing')
  } catch {
    return textAnswer(503, 'the database does not answer')
  }
}

/** In Prometheus' text format. */
async function answerMetrics(request: IncomingMessage, deps: AppDeps): Promise<Answer | undefined> {
  const { checkSecret, database, counts, now } = deps
  const { metricsToken } = deps.config
  if (metricsToken === undefined) return undefined
  if (!(await checkSecret(bearerToken(request) ?? '', metricsToken))) return undefined
  const { unsent, oldestQueuedAt, overdueSince, trouble } = await readBacklog(database.query, now())
  const secondsSince = (at: number | undefined) => (at === undefined ? 0 : Math.max(0, (now() - at) / 1000))
  const gauges = {
    deliveries_unsent: unsent,
    deliveries_oldest_unsent_seconds: secondsSince(oldestQueuedAt),
    deliveries_overdue_seconds: secondsSince(overdueSince),
    mail_stuck_seconds: secondsSince(trouble?.kind === 'stuck' ? trouble.since : undefined),
    mail_late_seconds: secondsSince(trouble?.kind === 'late' ? trouble.since : undefined),
    subscribers_active: (await countSubscribers(database.query)).active,
  }
  const contentType = 'text/plain; version=0.0.4; charset=utf-8'
  return textAnswer(200, counts.metricsText(gauges).trimEnd(), { 'content-type': contentType })
}

function notFound(request: IncomingMessage, path: string, { pages }: AppDeps): Answer {
  if (path.startsWith('/kit/')) return htmlAnswer(404, pages.page('kit-not-found', {}))
  // The range and the conditions of the request belong to another page; only the coding counts.
  const { 'accept-encoding': coding = '' } = request.headers
  return answerStaticFile({ method: request.method, headers: { 'accept-encoding': coding } }, pages.notFound)
}

import type { IncomingMessage } from 'node:http'
import { functionsPath, signUpPath } from '#contract/sign-up.ts'
import { isDatabaseFault } from '../database/faults.ts'
import type { RunningExtension } from '../extension.ts'
import {
  answerPersonalPage,
  personalHeaders,
  type PersonalPageMeans,
} from '../personal-page/personal-page-endpoint.ts'
import { answerSignUp, type SignUpDeps } from '../sign-up/sign-up-endpoint.ts'
import { type Answer, corsHeaders, htmlAnswer, jsonAnswer, type SecretCheck, textAnswer } from './answer.ts'
import { isFromThisMachine } from './gate.ts'
import { answerAlive, answerMetrics, answerReady } from './health.ts'
import { requestPath } from './request.ts'
import type { App } from './server.ts'
import { answerStaticFile, type StaticFile } from './static-files.ts'

export interface AppMeans extends SignUpDeps, PersonalPageMeans {
  /** By path: assets and the files at the site's root. */
  files: ReadonlyMap<string, StaticFile>
  extensions: readonly RunningExtension[]
  checkSecret: SecretCheck
  /** Undefined: /metrics answers 404. */
  metricsToken: string | undefined
  /** Development only. */
  answerLocalInbox: ((path: string) => Promise<Answer | undefined>) | undefined
}

type Answering = Answer | undefined | Promise<Answer | undefined>

/** The whole product as one function. Every exception ends here, as an answer. */
export function createApp(means: AppMeans): App {
  return (request) => answerRequest(request, means)
}

async function answerRequest(request: IncomingMessage, means: AppMeans): Promise<Answer> {
  const path = requestPath(request)
  if (path === undefined) return textAnswer(400, 'Bad request', { connection: 'close' })
  const answer = await answerPath(request, path, means)
  return path.startsWith('/kit/') ? { ...answer, headers: { ...answer.headers, ...personalHeaders } } : answer
}

async function answerPath(request: IncomingMessage, path: string, means: AppMeans): Promise<Answer> {
  try {
    return (await route(request, path, means)) ?? notFound(request, means)
  } catch (cause) {
    means.log.error('request failed', { method: request.method, cause })
    const page = means.pages.page('result-error', { address: '', form: '', campaign: '' })
    return isDatabaseFault(cause) ? htmlAnswer(503, page, { 'retry-after': '30' }) : htmlAnswer(500, page)
  }
}

/** Every address of the product. Those of the extensions come last. */
async function route(request: IncomingMessage, path: string, means: AppMeans): Promise<Answer | undefined> {
  const own = await routeOwn(request, path, means)
  if (own) return own
  for (const { answer } of means.extensions) {
    const answered = await answer?.(request, path)
    if (answered) return answered
  }
  return undefined
}

function routeOwn(request: IncomingMessage, path: string, means: AppMeans): Answering {
  const { method } = request
  if (path === signUpPath || (method === 'OPTIONS' && path.startsWith(functionsPath)))
    return answerSignUp(request, means)
  if (path.startsWith(functionsPath)) return answerUnknownFunction(request, means)
  if (path.startsWith('/kit/')) return answerPersonalPage(request, path, means)
  if (method !== 'GET' && method !== 'HEAD') return undefined
  if (path === '/') return answerStaticFile(request, means.pages.landing)
  if (path === '/healthz') return answerAlive()
  if (path === '/readyz') return answerReady(means.database)
  if (path === '/metrics') return answerMetricsToOwner(request, means)
  if (path.startsWith('/dev/inbox'))
    return isFromThisMachine(request) ? means.answerLocalInbox?.(path) : undefined
  const file = means.files.get(path)
  return file && answerStaticFile(request, file)
}

/** As the gateway of Supabase does: a script on another origin can read that the function does not exist. */
function answerUnknownFunction(request: IncomingMessage, { gate }: AppMeans): Answer {
  const origin = gate.corsOrigin(request)
  const error = { code: 'not_found', message: 'There is no function of this name.' }
  return jsonAnswer(404, { error }, origin === undefined ? {} : corsHeaders(origin))
}

async function answerMetricsToOwner({ headers }: IncomingMessage, means: AppMeans) {
  const { metricsToken, checkSecret, database, counts, now } = means
  if (metricsToken === undefined) return undefined
  const isOwner = await checkSecret(headers.authorization ?? '', `Bearer ${metricsToken}`)
  return isOwner ? answerMetrics(database, counts, now()) : undefined
}

function notFound(request: IncomingMessage, { pages }: AppMeans): Answer {
  // The range and the conditions of the request belong to another page; only the coding counts.
  const { 'accept-encoding': coding = '' } = request.headers
  return answerStaticFile({ method: request.method, headers: { 'accept-encoding': coding } }, pages.notFound)
}

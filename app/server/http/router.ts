import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, RequestListener } from 'node:http'
import { signUpPath } from '#contract/sign-up.ts'
import { isDatabaseFault } from '../database/database-faults.ts'
import type { RunningExtension } from '../extension.ts'
import { answerAlive, answerMetrics, answerReady } from './health.ts'
import type { Answer } from './answer.ts'
import { requestPath } from './request-path.ts'
import type { SecurityHeaders } from './security-headers.ts'
import { sendAnswer } from './send-answer.ts'
import { answerPersonalPage, type PersonalPageMeans } from '../personal-page/personal-page-endpoint.ts'
import { answerSignUp, type SignUpDeps } from '../sign-up/sign-up-endpoint.ts'
import { answerStaticFile, type StaticFile } from './static-files.ts'

export interface AppMeans extends SignUpDeps, PersonalPageMeans {
  /** By path: assets and what stands at the site's root. */
  files: ReadonlyMap<string, StaticFile>
  security: SecurityHeaders
  extensions: readonly RunningExtension[]
  /** Undefined: /metrics is no page. */
  metricsToken: string | undefined
  /** Development only. */
  answerLocalInbox: ((request: IncomingMessage, path: string) => Promise<Answer | undefined>) | undefined
}

type Answering = Answer | undefined | Promise<Answer | undefined>

/** Every address of the product; those of its extensions come last. */
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
  if (path === signUpPath) return answerSignUp(request, means)
  if (path.startsWith('/kit/')) return answerPersonalPage(request, path, means)
  if (request.method !== 'GET' && request.method !== 'HEAD') return undefined
  if (path === '/') return answerStaticFile(request, means.pages.landing)
  if (path === '/healthz') return answerAlive()
  if (path === '/readyz') return answerReady(means.database)
  if (path === '/metrics' && mayReadMetrics(request, means))
    return answerMetrics(means.database, means.counts, means.now())
  if (path.startsWith('/dev/inbox')) return means.answerLocalInbox?.(request, path)
  const file = means.files.get(path)
  return file && answerStaticFile(request, file)
}

/** The whole product behind one function. Whatever goes wrong in it ends here, as an answer. */
export function createApp(means: AppMeans): RequestListener {
  const { security, pages, log } = means
  const answer = async (request: IncomingMessage): Promise<Answer> => {
    const path = requestPath(request)
    if (path === undefined)
      return {
        status: 400,
        headers: { 'content-type': 'text/plain', connection: 'close' },
        body: 'Bad request\n',
      }
    try {
      return (await route(request, path, means)) ?? notFound(request, means)
    } catch (cause) {
      log.error('request failed', { method: request.method, cause })
      return failed(isDatabaseFault(cause), pages)
    }
  }
  return (request, response) => {
    void answer(request).then((found) => {
      const isPage = found.headers['content-type']?.startsWith('text/html')
      sendAnswer(request, response, {
        ...found,
        headers: { ...(isPage ? security.document : security.data), ...found.headers },
      })
    })
  }
}

function notFound(request: IncomingMessage, { pages }: AppMeans): Answer {
  // Only the coding counts: what else a request asks of a page (a range, a condition) was asked of another.
  const { 'accept-encoding': coding = '' } = request.headers
  return answerStaticFile({ method: request.method, headers: { 'accept-encoding': coding } }, pages.notFound)
}

function failed(isDatabaseAway: boolean, pages: AppMeans['pages']): Answer {
  const headers = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }
  const body = pages.page('result-error', {})
  return isDatabaseAway
    ? { status: 503, headers: { ...headers, 'retry-after': '30' }, body }
    : { status: 500, headers, body }
}

function mayReadMetrics({ headers }: IncomingMessage, { metricsToken }: AppMeans): boolean {
  if (metricsToken === undefined) return false
  const [given, right] = [Buffer.from(headers.authorization ?? ''), Buffer.from(`Bearer ${metricsToken}`)]
  return given.length === right.length && timingSafeEqual(given, right)
}

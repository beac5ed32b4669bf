import type { IncomingMessage } from 'node:http'
import { isLoopback } from '#server/configuration/loopback.ts'
import { isDatabaseFault } from '#server/database/database.ts'
import { answerInTime } from '#server/database/faults.ts'
import { type Answer, jsonAnswer } from '#server/http/answer.ts'
import { hasMediaType } from '#server/http/gate.ts'
import { readBody } from '#server/http/request.ts'
import type { RunningExtension } from '#server/start/extension.ts'
import { dropOldActs, forgetAct, recordAct } from './access/audit.ts'
import { dropEndedSecrets } from './access/secrets.ts'
import { signInRoutes } from './access/sign-in.ts'
import { dropEndedSessions, forgetFormerOwner, isProofFresh, readSession } from './access/sessions.ts'
import { answerPage } from './answer-page.ts'
import { type Call, type DeskContext, Refused, type Route, statuses, RawAnswer } from './call.ts'
import { InvalidField, readFields } from './fields.ts'
import { deskApiPath, deskPath } from './paths.ts'
import { announceRoutes } from './routes/announce.ts'
import { checkUpRoutes } from './routes/check-up.ts'
import { mailRoutes } from './routes/mail.ts'
import { peopleRoutes } from './routes/people.ts'
import { todayRoutes } from './routes/today.ts'

/** All routes, by method and path below deskApiPath. `:id` stands for a number. Every write is a POST with a JSON object. */
export const routes = {
  ...signInRoutes,
  ...todayRoutes,
  ...peopleRoutes,
  ...mailRoutes,
  ...checkUpRoutes,
  ...announceRoutes,
}
const routesByName = new Map<string, Route>(Object.entries<Route>(routes))

const maxBodyBytes = 64 * 1024

/** Starts the owner's desk: its pages, its API, and the cleaning of its tables. */
export async function startDesk(parts: Omit<DeskContext, 'isMailStuck'>): Promise<RunningExtension> {
  const { config, database, log, now, ownerEmail } = parts
  await forgetFormerOwner(database.query, ownerEmail)
  const { protocol, hostname } = new URL(config.publicUrl)
  if (protocol === 'http:' && !isLoopback(hostname))
    log.warn('nobody can sign in at the desk: browsers refuse its cookie without https in PUBLIC_URL')
  let isMailStuck = false
  const context: DeskContext = { ...parts, isMailStuck: () => isMailStuck }
  return {
    reportMailTrouble: (trouble) => void (isMailStuck = trouble?.kind === 'stuck'),
    answer(request, path) {
      if (path !== deskPath && !path.startsWith(`${deskPath}/`)) return undefined
      return path.startsWith(`${deskApiPath}/`)
        ? answerApi(request, path.slice(deskApiPath.length + 1), context)
        : answerPage(request, path, config.publicUrl)
    },
    async maintain() {
      await dropEndedSessions(database.query, now())
      await dropEndedSecrets(database.query, now())
      await dropOldActs(database.query, now())
    },
  }
}

async function answerApi(request: IncomingMessage, path: string, context: DeskContext): Promise<Answer> {
  const nobody = { hash: '', signed_in_at: 0 }
  const call: Call = { ...context, request, id: 0, act: 0, session: nobody, network: '', headers: {} }
  try {
    const answer = await answerCall(call, path)
    if (answer instanceof RawAnswer) return answer.answer
    if (answer instanceof Refused)
      return jsonAnswer(statuses[answer.error.code], { error: answer.error }, call.headers)
    return jsonAnswer(200, answer, call.headers)
  } catch (cause) {
    context.log.error('request to the desk failed', { method: request.method, cause })
    const { error } = isDatabaseFault(cause)
      ? new Refused('database-away', 'The database does not answer.')
      : new Refused('failed', 'The server failed. Its log says why.')
    const status = statuses[error.code]
    return jsonAnswer(status, { error }, status === 503 ? { 'retry-after': '30' } : {})
  }
}

/** Checks the origin first, then the session, then the path, so that strangers learn no paths. */
async function answerCall(call: Call, path: string): Promise<object> {
  const { request, gate } = call
  const isWrite = request.method !== 'GET' && request.method !== 'HEAD'
  const admission = isWrite ? gate.admit(request, 'own-pages') : undefined
  if (admission?.kind === 'refused') return new Refused('foreign-origin', 'This origin may not do that.')
  call.network = admission?.networks.network ?? ''
  const [, number] = /\/(\d{1,15})(?:\/|$)/.exec(path) ?? []
  call.id = Number(number ?? 0)
  const name = `${isWrite ? request.method : 'GET'} ${number ? path.replace(number, ':id') : path}`
  const route = routesByName.get(name)
  if (route?.for !== 'anybody') {
    const session = await answerInTime(readSession(call))
    if (!session) return new Refused('signed-out', 'Nobody is signed in here.')
    if (route?.for === 'proved' && !isProofFresh(session, call.now()))
      return new Refused('proof-needed', 'Show that it is you: the last proof is older than 15 minutes.')
    call.session = session
  }
  if (!route) return new Refused('not-found', 'There is no such address.')
  const body = isWrite ? await readJson(request) : queryOf(request)
  if (!body) return new Refused('invalid', `The body must be a JSON object of at most ${maxBodyBytes} bytes.`)
  try {
    const sent = readFields(route.sent ?? {}, body)
    return await (isWrite ? write(call, route, sent) : answerInTime(route.answer(call, sent)))
  } catch (fault) {
    if (fault instanceof InvalidField) return new Refused('invalid', fault.message)
    throw fault
  }
}

/** Writes the audit's row before the act, so that a crash in between leaves an extra row instead of a missing one. */
async function write(call: Call, route: Route, sent: Record<string, unknown>): Promise<object> {
  if (route.act === undefined) return route.answer(call, sent)
  const { query } = call.database
  call.act = await recordAct(query, call.now(), route.act, call.id || (sent['ids'] ?? sent['version']))
  const answer = await route.answer(call, sent)
  if (answer instanceof Refused) await forgetAct(query, call.act)
  return answer
}

async function readJson(request: IncomingMessage): Promise<Record<string, unknown> | undefined> {
  if (!hasMediaType(request, 'application/json')) return undefined
  const body = await readBody(request, maxBodyBytes)
  if (body.kind !== 'whole') return undefined
  try {
    const value: unknown = JSON.parse(body.bytes.toString())
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

function queryOf({ url = '' }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(url.split('?', 2)[1]))
}

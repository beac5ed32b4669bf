import type { IncomingMessage } from 'node:http'
import { isDatabaseFault } from '#server/database/database.ts'
import { type Answer, jsonAnswer } from '#server/http/answer.ts'
import type { ExtensionContext, RunningExtension } from '#server/start/extension.ts'
import { answerPage } from './answer-page.ts'
import { type DeskError, deskApiPath, deskPath } from './contract.ts'

export interface DeskContext extends ExtensionContext {
  ownerEmail: string
}

/** The owner's desk in the browser. */
export function startDesk(context: DeskContext): RunningExtension {
  return {
    answer(request, path) {
      if (path !== deskPath && !path.startsWith(`${deskPath}/`)) return undefined
      const route = path.startsWith(`${deskApiPath}/`) ? path.slice(deskApiPath.length + 1) : undefined
      return route === undefined
        ? answerPage(request, path, context.config.publicUrl)
        : answerApi(request, route, context)
    },
  }
}

/** Answers below /desk/api/. */
async function answerApi(request: IncomingMessage, route: string, context: DeskContext): Promise<Answer> {
  try {
    return await answerRoute(request, route, context)
  } catch (cause) {
    context.log.error('request to the desk failed', { method: request.method, cause })
    return isDatabaseFault(cause)
      ? errorAnswer(503, { code: 'database-away', message: 'The database does not answer.' })
      : errorAnswer(500, { code: 'failed', message: 'The server failed. Its log says why.' })
  }
}

async function answerRoute(request: IncomingMessage, _route: string, { gate }: DeskContext): Promise<Answer> {
  const isWrite = request.method !== 'GET' && request.method !== 'HEAD'
  if (isWrite && gate.admit(request, 'own-pages').kind === 'refused')
    return errorAnswer(403, { code: 'foreign-origin', message: 'This origin may not do that.' })
  return errorAnswer(401, { code: 'signed-out', message: 'Nobody is signed in here.' })
}

function errorAnswer(status: number, error: DeskError['error']): Answer {
  return jsonAnswer(status, { error })
}

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Webhook } from 'standardwebhooks'
import { isSameSecret } from '#server/http/gate.ts'
import { sendText } from '#server/http/replies.ts'
import { bearerToken } from '#server/http/request.ts'
import { parseJson } from '#server/sign-up/read-sign-up.ts'
import type { ServerContext } from '#server/start/context.ts'
import { readPostmarkReport, readResendReport } from './reports.ts'
import { takeReport } from './take-report.ts'

export const bounceHookPath = '/hooks/bounces'
const maxBodyBytes = 64 * 1024

/**
 * Takes the providers' reports of bounces and arrivals, from any origin: token or signature prove
 * them. A report that changes nothing gets a 200 too, because providers repeat any other answer for
 * hours.
 */
export async function bounceRoutes(
  app: FastifyInstance,
  deps: ServerContext,
  bounceToken: string,
): Promise<void> {
  app.removeAllContentTypeParsers()
  // A signature covers the bytes.
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  )
  app.post<{ Body?: Buffer }>(
    bounceHookPath,
    { bodyLimit: maxBodyBytes },
    async (request, reply) => {
      const { body = Buffer.of() } = request
      if (!isProved(request, body, bounceToken)) {
        return sendText(
          reply.code(401).header('www-authenticate', 'Basic realm="bounces"'),
          'The token is missing or wrong.',
        )
      }
      const sent = parseJson(body)
      const reports = isSigned(request) ? readResendReport(sent) : readPostmarkReport(sent)
      if (!reports) {
        return sendText(
          reply.code(400),
          'The body must be JSON as the webhooks of the mail provider send it.',
        )
      }
      await deps.database.transaction(async (transaction) => {
        for (const report of reports) await takeReport(transaction, report, deps)
      })
      return sendText(reply, 'Thank you.')
    },
  )
}

/** Resend signs as Standard Webhooks says, under header names of its own. */
function isSigned({ headers }: FastifyRequest): boolean {
  return headers['svix-signature'] !== undefined
}

function isProved(request: FastifyRequest, body: Buffer, bounceToken: string): boolean {
  if (!isSigned(request)) return isSameSecret(credentialOf(request), bounceToken)
  const names = ['id', 'timestamp', 'signature']
  const named = names.map((name) => [`webhook-${name}`, String(request.headers[`svix-${name}`])])
  try {
    new Webhook(bounceToken).verify(body, Object.fromEntries(named), { jsonParse: false })
    return true
  } catch {
    return false // also with a token that is not a secret of Resend
  }
}

/**
 * The token as bearer, or as the password of any user: a webhook's URL can carry no more than
 * `https://user:password@…`.
 */
function credentialOf(request: FastifyRequest): string {
  const bearer = bearerToken(request)
  if (bearer !== undefined) return bearer
  const [, value = ''] = /^basic (\S+)$/i.exec(request.headers.authorization ?? '') ?? []
  const pair = Buffer.from(value, 'base64').toString()
  return pair.slice(pair.indexOf(':') + 1)
}

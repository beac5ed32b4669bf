import { createHmac, randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { clientAddressOf } from '#server/http/client-address.ts'
import { isSameSecret } from '#server/http/gate.ts'
import { bearerToken } from '#server/http/request.ts'
import type { ServerContext } from '#server/start/context.ts'
import { smtpFailure } from '#server/transports/smtp-failure.ts'
import { CommandError } from '#owner/acts/errors.ts'
import { explainNetworkFault } from '#owner/acts/network-faults.ts'

const path = '/doctor/client-address'
/** In characters. Ours is shorter; another site may answer without an end. */
const maxAnswerLength = 1_000

/** The server's view of who asks it. */
const seen = z.object({ address: z.string(), proxies: z.number() })
export type Seen = z.infer<typeof seen>
const answer = seen.extend({ proof: z.string() })

/**
 * Tells a doctor the client's address of its own request. Both prove that they know the secret of
 * this database, with a challenge that the doctor makes for each request. So no other site can
 * answer, nor ask.
 */
export function addClientAddressRoute(app: FastifyInstance, context: ServerContext): void {
  app.post(path, async (request, reply) => {
    const [challenge = '', proof = ''] = bearerToken(request)?.split('.') ?? []
    if (!isSameSecret(proof, proofOfAsker(context.secret, challenge))) return reply.callNotFound()
    const hops = request.headers['x-forwarded-for'] ?? ''
    const view = {
      address: clientAddressOf(request.raw, context.config.trustedProxies),
      // Each proxy adds one hop. The doctor itself sends none.
      proxies: hops === '' ? 0 : String(hops).split(',').length,
    }
    return reply
      .header('cache-control', 'no-store')
      .send({ ...view, proof: proofOfServer(context.secret, challenge, view) })
  })
}

/** Asks at an address. `seen`: undefined if another server than the one with the secret answers. */
export async function askServer(
  publicUrl: string,
  secret: string,
  timeoutMs?: number,
): Promise<{ status: number; seen: Seen | undefined }> {
  const challenge = randomBytes(32).toString('base64url')
  const authorization = `Bearer ${challenge}.${proofOfAsker(secret, challenge)}`
  const request = { method: 'POST', headers: { authorization } }
  const response = await ask(`${publicUrl}${path}`, request, timeoutMs)
  const { data } = answer.safeParse(await jsonOf(response))
  const isOurs = data && isSameSecret(data.proof, proofOfServer(secret, challenge, data))
  return { status: response.status, seen: isOurs ? data : undefined }
}

/** True if the server that has this secret answers there. */
export async function leadsHere(publicUrl: string, secret: string): Promise<boolean> {
  const found = await askServer(publicUrl, secret).catch(() => undefined)
  return found?.seen !== undefined
}

/** Sends a request and follows no redirect. Throws a CommandError if there is no answer. */
export async function ask(
  url: string,
  request: RequestInit = {},
  timeoutMs = 5_000,
): Promise<Response> {
  const signal = AbortSignal.timeout(timeoutMs)
  return fetch(url, { ...request, redirect: 'manual', signal }).catch((fault: Error) => {
    const { why } = smtpFailure(fault.cause ?? fault)
    throw new CommandError(`${url} does not answer: ${explainNetworkFault(why) ?? why}.`)
  })
}

/** Undefined: it is not JSON, or too long. */
async function jsonOf({ body }: Response): Promise<unknown> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of body ?? []) {
    text += decoder.decode(bytes, { stream: true })
    if (text.length > maxAnswerLength) return undefined
  }
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function proofOfAsker(secret: string, challenge: string): string {
  return keyedHash(secret, `doctor asks ${challenge}`)
}

function proofOfServer(secret: string, challenge: string, { address, proxies }: Seen): string {
  return keyedHash(secret, `server answers ${challenge} ${proxies} ${address}`)
}

function keyedHash(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('base64url')
}

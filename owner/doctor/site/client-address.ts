import { createHmac } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { readSecret } from '#server/database/settings.ts'
import { isSameSecret } from '#server/http/gate.ts'
import { clientAddressOf } from '#server/http/client-address.ts'
import { bearerToken } from '#server/routes/request.ts'
import type { ServerContext } from '#server/start/context.ts'
import { withDatabase } from '../../command-line/owned-database.ts'
import { type CheckContext, type Finding, subject } from '../finding.ts'
import { ask } from './ask-site.ts'

const { ok, look, wrong } = subject('site.client-address')
const path = '/doctor/client-address'

/** Tells a doctor the client's address of its own request. The doctor proves that it has the same database. */
export function addClientAddressRoute(app: FastifyInstance, { config, secret }: ServerContext): void {
  app.post(path, async (request, reply) => {
    if (!isSameSecret(bearerToken(request) ?? '', proofFrom(secret))) return reply.callNotFound()
    const address = clientAddressOf(request.raw, config.trustedProxies)
    return reply.header('cache-control', 'no-store').send({ address, proxies: proxiesOf(request) })
  })
}

function proofFrom(secret: string): string {
  return createHmac('sha256', secret).update('doctor').digest('base64url')
}

/** Each proxy adds one hop. The doctor itself sends none. */
function proxiesOf({ headers }: FastifyRequest): number {
  const hops = headers['x-forwarded-for'] ?? ''
  return hops === '' ? 0 : String(hops).split(',').length
}

export async function checkClientAddress({ config }: CheckContext): Promise<Finding> {
  const secret = await withDatabase(config, (database) => database.transaction(readSecret))
  const answer = await ask(`${config.publicUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${proofFrom(secret)}` },
  })
  if (answer.status !== 200)
    return wrong(
      `The site does not know a secret from this database (status ${answer.status}): it uses another one, or the proxy lets no POST through.`,
      'Run the doctor with the same DATABASE_URL as the server, and let the proxy pass every method on.',
    )
  const seen: { address: string; proxies: number } = JSON.parse(await answer.text()) // our own route
  return judge(seen, config)
}

function judge(
  { address, proxies }: { address: string; proxies: number },
  { trustedProxies, production }: CheckContext['config'],
): Finding {
  const seen = `The site sees this machine as ${address}`
  if (proxies !== trustedProxies)
    return wrong(
      `${seen}: ${proxies === 1 ? 'one proxy names itself' : `${proxies} proxies name themselves`} in X-Forwarded-For, but TRUST_PROXY is ${trustedProxies}.`,
      `Set TRUST_PROXY=${proxies}.`,
    )
  const what = `${seen}, with TRUST_PROXY=${trustedProxies}.`
  if (!production || !privateAddress.test(address)) return ok(what)
  return look(
    what,
    'That is a private address. Run the doctor from a machine elsewhere: if it sees the same, a proxy hides the visitor and must send X-Forwarded-For.',
  )
}

const privateAddress =
  /^(?:::ffff:)?(?:10|127|192\.168|172\.(?:1[6-9]|2\d|3[01])|169\.254)\.|^(?:::1$|f[cd]|fe80)/i

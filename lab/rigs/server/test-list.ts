import { parseEmailAddress } from '#contract/email-address.ts'
import type { ClientNetworks } from '#server/http/client-address.ts'
import type { Database } from '#server/database/database.ts'
import { keepTemplate } from '#server/deliveries/mail-templates.ts'
import {
  registerSignUps,
  type RegistrationContext,
  type SignUpOutcome,
} from '#server/sign-up/register-sign-ups.ts'
import { shortTemplate } from './queue-mails.ts'
import { openTemporaryDatabase } from '../database/temporary-database.ts'

export const minuteMs = 60_000
export const dayMs = 24 * 60 * minuteMs
/** All its times count from this moment. */
export const start = Date.UTC(2026, 0, 5)

/** A list in a new database, with no limits except those given. */
export async function openList(limits: Partial<RegistrationContext> = {}) {
  return listIn(await openTemporaryDatabase(), limits)
}

export async function listIn(database: Database, limits: Partial<RegistrationContext> = {}) {
  const template = await keepTemplate(database.query, shortTemplate)
  const signUpTogether = (
    typed: readonly string[],
    afterMs = 0,
    networks: ClientNetworks = { network: 'network', widerNetwork: undefined },
    proof?: string,
  ) =>
    database.query.transaction().execute((transaction): Promise<SignUpOutcome[]> => {
      const signUps = typed.map((one) => ({ ...parseEmailAddress(one)!, networks, proof }))
      return registerSignUps(transaction, signUps, { ...roomy, template, now: start + afterMs, ...limits })
    })
  const signUp = async (typed: string, afterMs = 0, networks?: ClientNetworks, proof?: string) =>
    (await signUpTogether([typed], afterMs, networks, proof))[0]!.kind
  return { ...looking(database), signUpTogether, signUp }
}

function looking(database: Database) {
  const { query } = database
  return {
    database,
    subscribers: () => query.selectFrom('subscribers').select(['address', 'identity', 'state']).execute(),
    async idOf(identity: string) {
      const found = query.selectFrom('subscribers').select('id').where('identity', '=', identity)
      return (await found.executeTakeFirstOrThrow()).id
    },
    async countDeliveries(state?: 'queued') {
      const all = await query.selectFrom('deliveries').select('state').execute()
      return all.filter((one) => state === undefined || one.state === state).length
    },
    markAllSent: () => query.updateTable('deliveries').set({ state: 'sent' }).execute(),
  }
}

const roomy = {
  resendAfterMs: dayMs,
  hideAlreadyExists: false,
  secret: 'a key',
  senderDomain: 'mail.example',
  signUpsPerNetworkIn10Minutes: Infinity,
  signUpsPerNetworkADay: Infinity,
  mailsPerAddressADay: Infinity,
  isStorm: false,
  hasBlocks: false,
}

import { initTRPC, TRPCError } from '@trpc/server'
import { z } from 'zod'
import { Unavailable } from '#server/database/database.ts'
import { CommandError } from '../command-line/command-context.ts'
import { recordAct } from './access/audit.ts'
import { isProofFresh } from './access/sessions.ts'
import type { Call } from './call.ts'

/**
 * An expected failure. The message is a sentence for the owner. After UNAUTHORIZED and FORBIDDEN the desk's pages ask who is
 * there, and call again.
 */
export class Refused extends TRPCError {
  constructor(message: string, code: TRPCError['code'] = 'CONFLICT') {
    super({ code, message })
  }
}

const trpc = initTRPC.context<Call>().create({
  isDev: false,
  errorFormatter: ({ shape, error }) => ({ ...shape, message: sentenceFor(error) }),
})

export const { router } = trpc

export const anybody = trpc.procedure.use(async ({ next }) => {
  const result = await next()
  const cause = result.ok ? undefined : result.error.cause
  if (cause instanceof CommandError) throw new Refused(cause.message)
  if (cause instanceof Unavailable) throw new TRPCError({ code: 'SERVICE_UNAVAILABLE', cause })
  return result
})

export const owner = anybody.use(({ ctx, next }) => {
  const { session } = ctx
  if (!session) throw new Refused('Nobody is signed in here.', 'UNAUTHORIZED')
  return next({ ctx: { ...ctx, session } })
})

/** Signed in within the last 15 minutes. */
export const proved = owner.use(({ ctx, next }) => {
  if (isProofFresh(ctx.session, ctx.now())) return next()
  throw new Refused('Confirm that it is you: the last proof is older than 15 minutes.', 'FORBIDDEN')
})

/** Records an act in the audit, once it is done. */
export function recorded(act: string) {
  return trpc.middleware(async ({ ctx: { database, now }, input, next }) => {
    const result = await next()
    const { id: one, ids, name }: Partial<Record<'id' | 'ids' | 'name', unknown>> = Object(input)
    if (result.ok) await recordAct(database, now(), act, one ?? ids ?? name)
    return result
  })
}

function sentenceFor(error: TRPCError): string {
  if (error instanceof Refused) return error.message
  if (error.code === 'SERVICE_UNAVAILABLE') return 'The database does not answer.'
  if (error.code === 'BAD_REQUEST') return 'The server does not accept this input.'
  return error.code === 'NOT_FOUND' ? 'There is no such address.' : 'The server failed. Its log says why.'
}

// Inputs of several procedures. PostgreSQL stores no NUL in a text.
const noNul = /^[^\0]*$/
export const text = z.string().max(1_000).regex(noNul)
export const longText = z.string().max(20_000).regex(noNul)
export const id = z.int().positive()
export const byId = z.object({ id })

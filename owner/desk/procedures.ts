import { initTRPC, TRPCError } from '@trpc/server'
import { z } from 'zod'
import { Unavailable } from '#server/database/database.ts'
import { CommandError } from '../command-line/command-context.ts'
import { recordAct } from './access/audit.ts'
import { isProofFresh } from './access/sessions.ts'
import type { Call } from './call.ts'

/** In place of messages for programmers. The other messages are sentences for the owner. */
const sentences: Partial<Record<TRPCError['code'], string>> = {
  BAD_REQUEST: 'The server does not accept this input.',
  INTERNAL_SERVER_ERROR: 'The server failed. Its log says why.',
  SERVICE_UNAVAILABLE: 'The database does not answer.',
}

const trpc = initTRPC
  .context<Call>()
  .meta<{ act: string }>()
  .create({
    isDev: false,
    errorFormatter: ({ shape, error }) => ({
      ...shape,
      message: sentences[error.code] ?? error.message,
    }),
  })

export const { router } = trpc

/**
 * A CommandError is an expected failure. After UNAUTHORIZED and FORBIDDEN the pages ask who is
 * there, and call again.
 */
export const anybody = trpc.procedure.use(async ({ next }) => {
  const result = await next()
  const cause = result.ok ? undefined : result.error.cause
  if (cause instanceof CommandError) {
    throw new TRPCError({ code: 'CONFLICT', message: cause.message })
  }
  if (cause instanceof Unavailable) throw new TRPCError({ code: 'SERVICE_UNAVAILABLE', cause })
  return result
})

export const owner = anybody.use(async ({ ctx, meta, getRawInput, next }) => {
  const { session, database, now, wakeDeliveries } = ctx
  if (!session) throw new TRPCError({ code: 'UNAUTHORIZED', message: 'Nobody is signed in here.' })
  const result = await next({ ctx: { ...ctx, session } })
  if (result.ok && meta) {
    wakeDeliveries()
    const input: unknown = await getRawInput().catch(() => undefined) // some acts have none
    const { id: one, ids, name }: Partial<Record<'id' | 'ids' | 'name', unknown>> = Object(input)
    await recordAct(database, now(), meta.act, one ?? ids ?? name)
  }
  return result
})

const tooOld = 'Confirm that it is you: the last proof is older than 15 minutes.'

/** Signed in within the last 15 minutes. */
export const proved = owner.use(({ ctx, next }) => {
  if (isProofFresh(ctx.session, ctx.now())) return next()
  throw new TRPCError({ code: 'FORBIDDEN', message: tooOld })
})

/** Stands in the audit under this name, once it is done. Mail that it queued goes out at once. */
export function act(name: string, whoMay: typeof owner = owner) {
  return whoMay.meta({ act: name })
}

// Inputs of several procedures. PostgreSQL stores no NUL in a text.
const noNul = /^[^\0]*$/
export const text = z.string().max(1_000).regex(noNul)
export const longText = z.string().max(20_000).regex(noNul)
export const id = z.int().positive()
export const byId = z.object({ id })

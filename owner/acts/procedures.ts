import { initTRPC, TRPCError } from '@trpc/server'
import { ContentError } from '#site/kit/content-error.ts'
import { Unavailable } from '#server/database/database.ts'
import { CommandError, FieldError } from './errors.ts'
import type { DeskRequest } from './desk-request.ts'
import { type Guard, refusalOf } from './guard.ts'

/** In place of messages for programmers. The other messages are sentences for the owner. */
const sentences: Partial<Record<TRPCError['code'], string>> = {
  BAD_REQUEST: 'The server does not accept this input.',
  INTERNAL_SERVER_ERROR: 'The server failed. Its log says why.',
  SERVICE_UNAVAILABLE: 'The database does not answer.',
}

interface CallMeta {
  guard: Guard
}

const trpc = initTRPC
  .context<DeskRequest>()
  .meta<CallMeta>()
  .create({
    isDev: false,
    errorFormatter: ({ shape, error }) => ({
      ...shape,
      message: sentences[error.code] ?? error.message,
      data: {
        ...shape.data,
        field: error.cause instanceof FieldError ? error.cause.field : undefined,
      },
    }),
  })

export const { router } = trpc

/** A CommandError is an expected failure, and so is a ContentError of the renderer. */
const procedure = trpc.procedure.use(async ({ next }) => {
  const result = await next()
  const cause = result.ok ? undefined : result.error.cause
  if (cause instanceof CommandError || cause instanceof ContentError) {
    throw new TRPCError({ code: 'CONFLICT', message: cause.message, cause })
  }
  if (cause instanceof Unavailable) throw new TRPCError({ code: 'SERVICE_UNAVAILABLE', cause })
  return result
})

function ownersProcedure(guard: 'owner' | 'proof') {
  return procedure.meta({ guard }).use(({ ctx, next }) => {
    const refusal = refusalOf(guard, ctx)
    const { session, ownerEmail } = ctx
    if (refusal) throw new TRPCError(refusal)
    return next({ ctx: { session: session!, ownerEmail: ownerEmail! } }) // the guard let it pass
  })
}

// Each call is made with one of the three. A test lists all of them.
export const publicProcedure = procedure.meta({ guard: 'anyone' })
export const ownerProcedure = ownersProcedure('owner')
export const provedProcedure = ownersProcedure('proof')

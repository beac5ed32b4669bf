import { initTRPC, TRPCError } from '@trpc/server'
import { ContentError } from '#site/kit/content-error.ts'
import { Unavailable } from '#server/database/database.ts'
import { CommandError } from './command-context.ts'
import { type DeskRequest, isProofFresh } from './desk-request.ts'
import { FieldError } from './field-error.ts'

/** In place of messages for programmers. The other messages are sentences for the owner. */
const sentences: Partial<Record<TRPCError['code'], string>> = {
  BAD_REQUEST: 'The server does not accept this input.',
  INTERNAL_SERVER_ERROR: 'The server failed. Its log says why.',
  SERVICE_UNAVAILABLE: 'The database does not answer.',
}

const trpc = initTRPC.context<DeskRequest>().create({
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

/**
 * A CommandError is an expected failure, and so is a ContentError of the renderer. After
 * UNAUTHORIZED and FORBIDDEN the pages ask who is there, and call again.
 */
export const publicProcedure = trpc.procedure.use(async ({ next }) => {
  const result = await next()
  const cause = result.ok ? undefined : result.error.cause
  if (cause instanceof CommandError || cause instanceof ContentError) {
    throw new TRPCError({ code: 'CONFLICT', message: cause.message, cause })
  }
  if (cause instanceof Unavailable) throw new TRPCError({ code: 'SERVICE_UNAVAILABLE', cause })
  return result
})

export const ownerProcedure = publicProcedure.use(({ ctx, next }) => {
  const { session, ownerEmail } = ctx
  if (!session || ownerEmail === undefined) {
    throw new TRPCError({ code: 'UNAUTHORIZED', message: 'Nobody is signed in here.' })
  }
  return next({ ctx: { session, ownerEmail } })
})

const tooOld = 'Confirm that it is you: the last proof is older than 15 minutes.'

/** Signed in within the last 15 minutes. */
export const provedProcedure = ownerProcedure.use(({ ctx, next }) => {
  if (isProofFresh(ctx.session, ctx.server.now())) return next()
  throw new TRPCError({ code: 'FORBIDDEN', message: tooOld })
})

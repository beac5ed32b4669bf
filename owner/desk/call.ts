import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ServerContext } from '#server/start/context.ts'

export interface DeskContext extends ServerContext {
  ownerEmail: string
  /** The project's folder, which has dist/ in it. */
  folder: string
}

/** One request to the desk's API. */
export interface Call extends DeskContext {
  request: FastifyRequest
  reply: FastifyReply
  session?: Session | undefined
}

/** The arguments of a procedure that only the owner may call. */
export interface Asked<Input> {
  ctx: Call & { session: Session }
  input: Input
}

export interface Session {
  hash: string
  /** Such as `Firefox on Linux`. */
  browser: string
  /** The last proof of who is there: a new one makes a new session. */
  signed_in_at: number
  seen_at: number
}

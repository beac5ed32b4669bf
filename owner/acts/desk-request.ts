import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ServerContext } from '#server/start/context.ts'

/** The parts of the server and of the installation that the desk needs. */
export interface DeskContext {
  server: ServerContext
  /** The project's folder, which has dist/ in it. */
  folder: string
}

/** One request to the desk's API: the context of every procedure. */
export interface DeskRequest extends DeskContext {
  /** It is undefined if nobody has taken the desk yet. */
  ownerEmail: string | undefined
  request: FastifyRequest
  reply: FastifyReply
  /** It is undefined if nobody is signed in. */
  session: Session | undefined
}

/** The file that is the body of a request. */
export function bytesOf({ body }: FastifyRequest): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0)
}

/** A request of the owner. */
export interface OwnerRequest extends DeskRequest {
  ownerEmail: string
  session: Session
}

export interface Session {
  /** Hash of the cookie. It signs nobody in, so a browser may be told it. */
  hash: string
  /** Such as `Firefox on Linux`. */
  browser: string
  /** The last proof of who is there: a new one makes a new session. */
  signed_in_at: number
  seen_at: number
}

/** The setting that holds the host, with its port, at which the owner signed in last. */
export const signedInAtSetting = 'signed-in-at'

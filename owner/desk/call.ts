import type { IncomingMessage } from 'node:http'
import type { Answer } from '#server/http/answer.ts'
import type { ExtensionContext } from '#server/start/extension.ts'
import type { Fields, NoFields, Sent } from './fields.ts'

export interface DeskContext extends ExtensionContext {
  ownerEmail: string
  /** The project's folder, which has dist/ in it. */
  folder: string
  /** The last state known to this process. */
  isMailStuck: () => boolean
}

/** One request for an address of the API. */
export interface Call extends DeskContext {
  request: IncomingMessage
  /** The number in the path, or 0. */
  id: number
  /** Keyed hash of the client's network. */
  network: string
  /** The row's hash is empty while nobody is signed in. */
  session: { hash: string; signed_in_at: number }
  /** The number of the call's row in the audit, or 0. */
  act: number
  /** Sent with the answer. */
  headers: Record<string, string>
}

/** `proved`: signed in within the last 15 minutes. */
export interface Route<Shape extends Fields = Fields, Back extends object = object> {
  for: 'anybody' | 'owner' | 'proved'
  /** The name of the act in the audit. Absent: the route changes nothing. */
  act?: string
  /** The fields of the body, or of the query. */
  sent?: Shape
  answer(call: Call, sent: Sent<Shape>): Promise<Back>
}

/** Gives `answer` the types of the fields in `sent`. */
export function route<Shape extends Fields = NoFields, Back extends object = object>(
  one: Route<Shape, Back>,
): Route<Shape, Back> {
  return one
}

export const statuses = {
  'signed-out': 401,
  /** The answer to a wrong code, link or passkey. */
  'wrong-proof': 401,
  'foreign-origin': 403,
  /** The last proof is older than 15 minutes. */
  'proof-needed': 403,
  'not-found': 404,
  /** Changed elsewhere since the version that was sent. */
  changed: 409,
  /** The message says why. */
  impossible: 409,
  /** A field of the request. */
  invalid: 422,
  'database-away': 503,
  failed: 500,
}

/** An expected failure. */
export class Refused {
  readonly error
  constructor(
    code: keyof typeof statuses,
    message: string,
    /** With `wrong-proof` of a code: 0 if it is used up. With `changed` of a person: the person. */
    more: { triesLeft?: number; now?: object } = {},
  ) {
    this.error = { ...more, code, message }
  }
}

/** An answer that is not JSON: a file, or HTML for the desk to read. */
export class RawAnswer {
  readonly answer: Answer
  constructor(answer: Answer) {
    this.answer = answer
  }
}

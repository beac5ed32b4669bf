import { route } from '../call.ts'
import { text } from '../fields.ts'
import { readActs } from './audit.ts'
import { signInByLink } from './desk-link.ts'
import { mailCode, signInByCode } from './mail-code.ts'
import { passkeyRoutes } from './passkeys.ts'
import { describeSession, endSessions } from './sessions.ts'

export const signInRoutes = {
  ...passkeyRoutes,
  'POST sign-in/mail-code': route({ for: 'anybody', answer: mailCode }),
  'POST sign-in/code': route({ for: 'anybody', sent: { code: text }, answer: signInByCode }),
  /** `token`: after the # of the address that `owner desk-link` printed. */
  'POST sign-in/link': route({ for: 'anybody', sent: { token: text }, answer: signInByLink }),
  'GET session': route({ for: 'owner', answer: async ({ session }) => describeSession(session) }),
  'POST session/sign-out': route({
    for: 'owner',
    act: 'signed-out',
    answer: (call) => endSessions(call, 'this'),
  }),
  'POST session/sign-out-everywhere': route({
    for: 'owner',
    act: 'signed-out-everywhere',
    answer: (call) => endSessions(call, 'all'),
  }),
  'GET audit': route({
    for: 'owner',
    answer: async ({ database }) => ({ acts: await readActs(database.query) }),
  }),
}

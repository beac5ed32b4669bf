import type { Routes } from '../call.ts'
import { Refused } from '../call.ts'
import { signInByLink } from './desk-link.ts'
import { mailCode, signInByCode } from './mail-code.ts'
import { passkeyRoutes } from './passkeys.ts'
import { readActs } from './audit.ts'
import { describeSession, endSessions, readSession } from './sessions.ts'

export const signInRoutes = {
  ...passkeyRoutes,
  'POST sign-in/mail-code': { for: 'anybody', answer: mailCode },
  'POST sign-in/code': { for: 'anybody', answer: signInByCode },
  'POST sign-in/link': { for: 'anybody', answer: signInByLink },
  'GET session': {
    for: 'owner',
    async answer(call) {
      const session = await readSession(call)
      return session ? describeSession(session) : new Refused('signed-out', 'Nobody is signed in here.')
    },
  },
  'POST session/sign-out': {
    for: 'owner',
    act: 'signed-out',
    async answer(call) {
      await endSessions(call, 'this')
      return {}
    },
  },
  'POST session/sign-out-everywhere': {
    for: 'owner',
    act: 'signed-out-everywhere',
    async answer(call) {
      await endSessions(call, 'all')
      return {}
    },
  },
  'GET audit': {
    for: 'owner',
    answer: async ({ database }) => ({ acts: await readActs(database.query) }),
  },
} satisfies Partial<Routes>

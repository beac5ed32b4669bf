import { startThread } from '#server/configuration/project-files.ts'
import type { Call, Routes } from '../call.ts'
import type { CheckUp } from '../contract.ts'

const longestMs = 3 * 60_000

/** The last check-up of this process. One runs at a time, in a thread of its own: no request waits for it. */
const checkUp: CheckUp = { state: 'never-run', startedAt: null, finishedAt: null, sections: [] }

export const checkUpRoutes = {
  'GET check-up': { for: 'owner', answer: async () => checkUp },
  'POST check-up/start': {
    for: 'owner',
    act: 'check-up-started',
    async answer(call) {
      const testAddress = call.fields.flag('testMail') ? call.ownerEmail : undefined
      if (checkUp.state !== 'running') start(call, testAddress)
      return checkUp
    },
  },
} satisfies Partial<Routes>

function start({ now }: Call, testAddress: string | undefined): void {
  const thread = startThread('owner/desk/views/check-up-thread.ts', testAddress)
  Object.assign(checkUp, { state: 'running', startedAt: now(), finishedAt: null, sections: [] })
  const timer = setTimeout(() => void thread.terminate(), longestMs)
  thread.unref()
  timer.unref()
  thread.on('message', (section: CheckUp['sections'][number]) => checkUp.sections.push(section))
  thread.on('error', () => {}) // 'exit' follows
  thread.on('exit', (code) => {
    clearTimeout(timer)
    Object.assign(checkUp, { state: code === 0 ? 'done' : 'broken-off', finishedAt: now() })
  })
}

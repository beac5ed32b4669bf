import { z } from 'zod'
import { startThread } from '#server/configuration/project-files.ts'
import type { Finding } from '../../doctor/finding.ts'
import { newestEvents } from '../../webhooks/record-event.ts'
import { audited, ownerProcedure, router } from '../procedures.ts'

interface CheckUp {
  state: 'never-run' | 'running' | 'done' | 'broken-off'
  startedAt: number | null
  finishedAt: number | null
  /** Those that have arrived, in order. */
  findings: Finding[]
}

const longestMs = 3 * 60_000

/**
 * The last check-up of this process. One runs at a time, in its own thread, so that no request
 * waits for it.
 */
export const checkUp: CheckUp = {
  state: 'never-run',
  startedAt: null,
  finishedAt: null,
  findings: [],
}

export const checkUpRouter = router({
  show: ownerProcedure.query(async ({ ctx: { server } }) => ({
    ...checkUp,
    /** The last twenty events; null without WEBHOOK_URL. */
    webhooks: server.config.webhook ? await newestEvents(server.database.ownerReads, {}, 20) : null,
  })),
  start: audited('Ran the check-up')
    .input(z.object({ testMail: z.boolean() }))
    .mutation(({ ctx: { server, ownerEmail }, input: { testMail } }) => {
      const { now } = server
      if (checkUp.state === 'running') return
      const testAddress = testMail ? ownerEmail : undefined
      const thread = startThread('owner/desk/routes/check-up-thread.ts', testAddress)
      Object.assign(checkUp, { state: 'running', startedAt: now(), finishedAt: null, findings: [] })
      const timer = setTimeout(() => void thread.terminate(), longestMs)
      thread.unref()
      timer.unref()
      thread.on('message', (found: Finding[]) => checkUp.findings.push(...found))
      thread.on('error', () => {}) // 'exit' follows
      thread.on('exit', (code) => {
        clearTimeout(timer)
        Object.assign(checkUp, { state: code === 0 ? 'done' : 'broken-off', finishedAt: now() })
      })
    }),
})

import { dayMs } from '#server/database/clock.ts'
import { outcomeOf, titleOf } from './job-words.ts'
import { type Job, listJobs, stopJob } from './jobs.ts'
import { byId } from '../inputs.ts'
import { ownerProcedure, router } from '../procedures.ts'

const shownJobs = 5
/** A job that ended is shown for as long, and one that failed for longer. */
const shownMs = 60 * 60_000
const failedShownMs = 7 * dayMs

export const jobsRouter = router({
  /** The large acts of the owner that go on by themselves, the newest first. */
  show: ownerProcedure.query(async ({ ctx: { server } }) => {
    const jobs = await listJobs(server.database.ownerReads, shownJobs)
    return jobs.filter((job) => isShown(job, server.now())).map(describeJob)
  }),
  stop: ownerProcedure
    .input(byId)
    .mutation(({ ctx: { server }, input }) => stopJob(server.database, input.id, server.now())),
})

function isShown({ endedAt, stoppedWhy }: Job, now: number): boolean {
  return endedAt === null || now - endedAt < (stoppedWhy === null ? shownMs : failedShownMs)
}

function describeJob(job: Job) {
  const { id, state, total, done, startedAt, endedAt } = job
  return {
    id,
    title: titleOf(job),
    outcome: outcomeOf(job),
    state,
    total,
    done,
    startedAt,
    endedAt,
  }
}

import { outcomeOf, titleOf } from '../../command-line/jobs/job-words.ts'
import { type Job, listJobs, stopJob } from '../../command-line/jobs/jobs.ts'
import { byId, ownerProcedure, router } from '../procedures.ts'

const shownJobs = 5
/** A job that ended is shown for as long. */
const shownMs = 60 * 60_000

export const jobsRouter = router({
  /** The large acts of the owner that go on by themselves, the newest first. */
  show: ownerProcedure.query(async ({ ctx: { server } }) => {
    const jobs = await listJobs(server.database.ownerReads, shownJobs)
    const since = server.now() - shownMs
    return jobs.filter(({ endedAt }) => endedAt === null || endedAt > since).map(describeJob)
  }),
  stop: ownerProcedure
    .input(byId)
    .mutation(({ ctx: { server }, input }) => stopJob(server.database, input.id, server.now())),
})

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

import type { OwnedDatabase } from '../owned-database.ts'
import { startProgress } from '#owner/acts/terminal/progress.ts'
import { type Job, readJob } from './jobs.ts'
import { finishJob, type JobAct } from './run-jobs.ts'

/** Runs a job to its end in this process. A terminal shows `title`, and how far it is. */
export async function finishWithProgress(
  { database, now }: Pick<OwnedDatabase, 'database' | 'now'>,
  id: number,
  act: JobAct,
  title: string,
): Promise<Job> {
  const { total } = (await readJob(database, id))!
  const progress = startProgress(title, total)
  const options = { clock: now, onProgress: progress.add }
  return finishJob(database, id, act, options).finally(progress.end)
}

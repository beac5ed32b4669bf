import type { ServerContext } from '#server/start/context.ts'
import { retryAct } from '#owner/mail/retry-deliveries.ts'
import { jobEventRecorder } from '#owner/mail/webhooks/record-event.ts'
import type { JobActs } from '#owner/acts/jobs/run-jobs.ts'
import { importAct } from '#owner/people/import/import-people.ts'
import { suppressAct } from '#owner/people/suppress/suppress-people.ts'
import { undoImportAct } from '#owner/people/import/undo-import.ts'

/** The acts of the running server for each kind of job. */
export function jobActs({ config, now }: Pick<ServerContext, 'config' | 'now'>): JobActs {
  const deps = { now, recordEvent: jobEventRecorder(config) }
  return {
    import: importAct(deps),
    'undo-import': undoImportAct(deps),
    retry: retryAct(deps),
    suppress: suppressAct(deps),
  }
}

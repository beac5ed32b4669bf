import type { ServerContext } from '#server/start/context.ts'
import { bouncesAct } from '#owner/mail/bounces/import-bounces.ts'
import { retryAct } from '#owner/mail/retry-deliveries.ts'
import type { JobActs } from '#owner/acts/jobs/run-jobs.ts'
import { importAct } from '#owner/people/import/import-people.ts'
import { undoImportAct } from '#owner/people/import/undo-import.ts'

/** The acts of the running server for each kind of job. */
export function jobActs(context: Pick<ServerContext, 'now' | 'recordEvent'>): JobActs {
  return {
    import: importAct(context),
    'undo-import': undoImportAct(context),
    retry: retryAct(context),
    bounces: bouncesAct(context),
  }
}

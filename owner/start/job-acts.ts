import type { ServerContext } from '#server/start/context.ts'
import { bouncesAct } from '../deliveries/bounces/import-bounces.ts'
import { retryAct } from '../deliveries/retry-deliveries.ts'
import type { JobActs } from '../command-line/jobs/run-jobs.ts'
import { importAct } from '../subscribers/import/import-people.ts'
import { undoImportAct } from '../subscribers/import/undo-import.ts'

/** The acts of the running server for each kind of job. */
export function jobActs(context: Pick<ServerContext, 'now' | 'recordEvent'>): JobActs {
  return {
    import: importAct(context),
    'undo-import': undoImportAct(context),
    retry: retryAct(context),
    bounces: bouncesAct(context),
  }
}

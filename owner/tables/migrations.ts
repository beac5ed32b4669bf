import { type Migration, migrationsIn, siteMigrations } from '#server/database/open-database.ts'

/** The tables of the site, and after them those of the owner's ring. */
export const ownerMigrations: readonly Migration[] = [
  ...siteMigrations,
  ...migrationsIn('owner/tables', [
    '0002-owner',
    '0005-bounce-files',
    '0006-announcement-figures',
    '0012-page-draft',
    '0014-bounce-files',
    '0015-newest-subscribers',
    '0016-owner-jobs',
    '0020-letters',
    '0023-pictures',
    '0024-kept-drafts',
    '0028-large-lists',
    '0029-bulk-events',
  ]),
]

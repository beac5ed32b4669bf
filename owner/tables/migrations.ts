import { type Migration, siteMigrations } from '#server/database/open-database.ts'

/** The tables of the site, and after them those of the owner's ring. */
export const ownerMigrations: readonly Migration[] = [
  ...siteMigrations,
  { name: '0002-owner', script: 'owner/tables/0002-owner' },
  { name: '0005-bounce-files', script: 'owner/tables/0005-bounce-files' },
  { name: '0006-announcement-figures', script: 'owner/tables/0006-announcement-figures' },
  { name: '0012-page-draft', script: 'owner/tables/0012-page-draft' },
  { name: '0014-bounce-files', script: 'owner/tables/0014-bounce-files' },
  { name: '0015-newest-subscribers', script: 'owner/tables/0015-newest-subscribers' },
  { name: '0016-owner-jobs', script: 'owner/tables/0016-owner-jobs' },
  { name: '0020-letters', script: 'owner/tables/0020-letters' },
  { name: '0023-pictures', script: 'owner/tables/0023-pictures' },
  { name: '0024-kept-drafts', script: 'owner/tables/0024-kept-drafts' },
  { name: '0028-large-lists', script: 'owner/tables/0028-large-lists' },
]

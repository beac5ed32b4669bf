import { type Migration, migrationsIn, siteMigrations } from '#server/database/open-database.ts'

/** The tables of the site, and after them those of the owner's ring. */
export const ownerMigrations: readonly Migration[] = [
  ...siteMigrations,
  ...migrationsIn('owner/tables', ['0101-owner']),
]

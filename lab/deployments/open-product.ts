import {
  type Installation,
  newInstallation,
  noDns,
  type Product,
  startProduct,
} from '#rigs/product.ts'
import { proxiedHost } from './shipped-proxy.ts'
import { ownerMigrations } from '#owner/tables/migrations.ts'
import { migrate, openDatabase } from '#server/database/open-database.ts'
import { openSite } from '#server/settings/site-settings.ts'

/** The environment of a server behind a shipped proxy. */
export const settings = {
  PUBLIC_URL: `https://${proxiedHost}`,
  OWNER_EMAIL: 'owner@example.com',
  TRUST_PROXY: '1',
  SMTP_URL: 'smtp://127.0.0.1:9', // nobody listens there: the mail waits
}

/** Starts a product that serves its page. */
export async function startOpenProduct(environment: Record<string, string> = {}): Promise<Product> {
  const installation = await newInstallation()
  await openPage(environment['DATABASE_URL'] ?? `file:${installation.databaseFile}`)
  return startBehindProxy(installation, environment)
}

/** Starts a product behind a shipped proxy, for the first time or again. */
export function startBehindProxy(
  installation: Installation,
  environment: Record<string, string>,
): Promise<Product> {
  const preload = [noDns] // it looks itself up
  return startProduct(installation, { preload, environment: { ...settings, ...environment } })
}

/** Opens the page as an owner does: with a public address it is held back until then. */
async function openPage(databaseUrl: string): Promise<void> {
  const database = await openDatabase(databaseUrl)
  await migrate(database, ownerMigrations)
  await database.transaction((transaction) => openSite(transaction, Date.now()))
  await database.close()
}

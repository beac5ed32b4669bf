import { join, resolve } from 'node:path'
import type { Config } from '../configuration/config.ts'
import { databaseHosts } from '../configuration/database-url.ts'
import type { Database } from '../database/database.ts'
import { migrate, openDatabase } from '../database/open-database.ts'
import type { Extension } from './extension.ts'
import { loadKitDownloads, loadStaticFiles } from '../http/load-static-files.ts'
import { openLocalInbox, openMailer, readStarterEmailTemplate } from '../transports/open-mailer.ts'
import { loadPages } from '../http/pages.ts'
import { projectRoot, readProjectFile } from '../configuration/project-files.ts'
import { runServer } from './run-server.ts'

const dist = join(projectRoot, 'dist')

/**
 * Opens the database and the mailer, loads what the build wrote, and runs the server on them. `stop` answers what is in
 * flight, finishes the mails being sent and releases the other claims, within 10 s.
 */
export async function startServer(config: Config, extensions: readonly Extension[]) {
  const [database, pages, files, downloads, releases, hashes] = await Promise.all([
    openMigrated(config.databaseUrl),
    loadPages(dist, config),
    loadStaticFiles(dist, config.publicUrl),
    loadKitDownloads(dist),
    readJson('kit/releases.json'),
    readJson('build.json'),
  ])
  const inbox = config.hasLocalInbox ? await openLocalInbox(config) : undefined
  const running = await runServer({
    config,
    database,
    mailer: inbox ?? (await openMailer(config)),
    pages,
    files,
    downloads,
    releases,
    hashes,
    extensions,
    template: await readStarterEmailTemplate(dist, config),
    answerLocalInbox: inbox && ((path) => inbox.answer(path)),
    writeLog: (lines) => void process.stdout.write(lines),
    now: Date.now,
  })
  return { whereabouts: whereabouts(config), stop: running.stop }
}

async function openMigrated(url: string): Promise<Database> {
  const database = await openDatabase(url)
  await migrate(database)
  return database
}

/** The build writes it in the form that its reader expects. */
async function readJson(path: string) {
  return JSON.parse(readProjectFile(join(dist, path)).toString())
}

/** A few lines for the owner: where page, local inbox and data are. */
function whereabouts({ publicUrl, smtpUrl, mailApi, databaseUrl }: Config): string[] {
  const data = databaseUrl.startsWith('file:')
    ? resolve(databaseUrl.slice('file:'.length))
    : databaseHosts(databaseUrl)
  const relay = mailApi?.baseUrl ?? smtpUrl
  return [
    `Page    ${publicUrl}`,
    relay ? `Mail    goes to ${new URL(relay).host}` : `Inbox   ${publicUrl}/dev/inbox`,
    `Data    ${data}`,
  ]
}

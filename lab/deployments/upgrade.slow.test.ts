import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { releases } from '#content/releases.ts'
import { signUpPath } from '#contract/sign-up.ts'
import { copyOfClone, difficultName } from '#rigs/copy-of-clone.ts'
import { startSmtpInbox } from '#rigs/mail/smtp-inbox.ts'
import {
  launchProduct,
  newInstallation,
  type Product,
  runOwnerCommand,
  startProduct,
} from '#rigs/product.ts'
import { readPdf } from '#rigs/read-pdf.ts'
import { temporaryFolder } from '#rigs/temporary-folder.ts'
import { openDatabase } from '#server/database/open-database.ts'
import { writeSiteSettings } from '#server/settings/site-settings.ts'

test('an update with a migration, a new script and a new text keeps people, page, queue and settings, and going back is refused in one sentence', async () => {
  const inbox = await startSmtpInbox()
  onTestFinished(() => inbox.close())
  await inbox.close() // its mail waits
  const environment = { SMTP_URL: inbox.url }
  const installation = await newInstallation()
  const before = await startProduct(installation, { environment })
  await publishOwnTexts(before)
  const email = 'ada@example.com'
  await fetch(before.url + signUpPath, { method: 'POST', body: new URLSearchParams({ email }) })
  await storeSupportAddress(before)
  await before.terminate()

  const checkout = nextVersion()
  const after = await startProduct(installation, { environment, checkout })
  onTestFinished(() => after.stop())
  await inbox.reopen()
  const [mail] = await inbox.arrival(1, email)
  const raw = mail!.raw.toString()
  expect(raw).toContain('Reply-To: help@tide.example')
  expect(raw).toMatch(/^From: .*Tide Bot/m)
  const [kit = ''] = /\/kit\/[\w-]{22}/.exec(raw) ?? []
  const page = await (await fetch(after.url)).text()
  expect(page).toContain('Tide Bot')
  expect(page).toContain('A lede of the next version.')
  const script = await (await fetch(`${after.url}${kit}/ema-crossover.pine`)).text()
  expect(script).toContain('Version 9.0.0')
  const guide = await fetch(`${after.url}${kit}/setup-guide.pdf`)
  const printed = JSON.stringify(await readPdf(new Uint8Array(await guide.arrayBuffer())))
  expect(printed).toContain('Another script.')
  expect(printed).toContain(ownSentence)
  await after.terminate()

  const back = launchProduct(installation, { environment })
  expect(await back.exited).toEqual({ code: 1 })
  const [said] = back
    .printed()
    .match(/.*from a newer version.*/g)!
    .slice(-1)
  expect(said).toMatch(
    /^ {2}- .*0102-next: run that version, or restore a backup from before the update$/,
  )
})

/** A copy of this checkout with what an update may bring, in a folder with a difficult name. */
function nextVersion(): string {
  const clone = copyOfClone(difficultName)
  onTestFinished(() => rmSync(dirname(clone), { recursive: true, force: true }))
  const change = (file: string, from: string | RegExp, to: string) => {
    const text = readFileSync(join(clone, file), 'utf8')
    const changed = text.replace(from, to)
    if (changed === text) throw new Error(`${file} has nothing like ${from}`)
    writeFileSync(join(clone, file), changed)
  }
  change('package.json', /"version": ".*"/, '"version": "9.0.0"')
  change('owner/tables/migrations.ts', `'0101-owner'`, `'0101-owner', '0102-next'`)
  writeFileSync(
    join(clone, 'owner/tables/0102-next.sql'),
    `alter table subscribers add column next text not null default 'none';\n`,
  )
  change('app/site/kit/ema-crossover.pine', /Version \S+, \S+\./, 'Version 9.0.0, 2026-11-28.')
  const release = `{ version: '9.0.0', date: '2026-11-28', changes: ['Another script.'] },`
  change('content/releases.ts', /list\(\s*\[/, `list([${release}`)
  change(
    'content/pages/landing-page.ts',
    /lede: lines\(\s*'.*'/,
    `lede: lines('A lede of the next version.'`,
  )
  return clone
}

/** The owner's words about a version, at Files. */
const ownSentence = 'The owner says this of a version.'

async function publishOwnTexts({ databaseFile }: Product): Promise<void> {
  const file = join(temporaryFolder(), 'content.json')
  const [newest, ...earlier] = releases
  const own = { ...newest, changes: [ownSentence] }
  const texts = { 'brand.name': 'Tide Bot', releases: [own, ...earlier] }
  writeFileSync(file, JSON.stringify({ format: 'starter-bot content 1', texts, files: {} }))
  await runOwnerCommand({ DATABASE_URL: `file:${databaseFile}` }, 'content', 'import', file)
}

/** Stores it as the desk does. */
async function storeSupportAddress({ databaseFile }: Product): Promise<void> {
  const database = await openDatabase(`file:${databaseFile}`)
  await database.transaction((transaction) =>
    writeSiteSettings(transaction, { SUPPORT_EMAIL: 'help@tide.example' }),
  )
  await database.close()
}

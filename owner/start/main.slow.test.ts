import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { ownerMigrations } from '#owner/tables/migrations.ts'
import { makeTemporaryDatabase } from '#rigs/database/temporary-database.ts'
import { openOwnerTerminal } from '#rigs/owner/owner-terminal.ts'
import { addPeople, addresses } from '#rigs/server/people.ts'
import { temporaryFolder } from '#rigs/temporary-folder.ts'

const isPosix = existsSync('/dev/full')

/** More than a pipe holds. */
async function longList() {
  const { database, url } = await openOwnerTerminal()
  await addPeople(database, addresses(3_000))
  return url
}

function inShell(url: string, line: string) {
  return spawnSync('/bin/sh', ['-c', line], { ...inClone(url), encoding: 'utf8' })
}

function inClone(url: string) {
  return {
    cwd: join(import.meta.dirname, '../..'),
    env: { ...process.env, NODE: process.execPath, DATABASE_URL: url },
  }
}

test.skipIf(!isPosix)(
  '(where there is a shell) closing the pipe early ends the command without an error',
  async () => {
    const code = 'echo "ended with $?" >&2'
    const url = await longList()
    const ended = inShell(url, `("$NODE" server.ts owner subscribers export; ${code}) | head -1`)
    expect(ended).toMatchObject({
      stdout: expect.stringMatching(/^email,state,.*\r\n$/),
      stderr: 'ended with 0\n',
    })
  },
)

test.skipIf(!isPosix)(
  '(where there is /dev/full) a full disk is reported in one sentence',
  async () => {
    const ended = inShell(
      await longList(),
      '"$NODE" server.ts owner subscribers export > /dev/full',
    )
    expect(ended).toMatchObject({
      status: 1,
      stderr: 'It failed: ENOSPC: no space left on device, write.\n',
    })
  },
)

describe.skipIf(spawnSync('script', ['--version']).status !== 0)(
  '(where there is script, which gives a program a terminal) at a question',
  () => {
    /** No test changes it. */
    let installed: Installed
    beforeAll(async () => {
      const { url, file = '', remove } = await makeTemporaryDatabase(ownerMigrations)
      const folder = dirname(file)
      const backup = join(folder, 'backup.db')
      expect(inShell(url, `"$NODE" server.ts owner backup ${backup}`).status).toBe(0)
      installed = { url, folder, backup }
      return remove
    })

    test.each([
      ['Ctrl C', '\u0003'],
      ['Ctrl D', '\u0004'],
      ['any other answer than yes', 'no\r'],
    ])('%s changes nothing, and says so in one sentence', async (_, keys) => {
      const { terminal, ended } = await restoreInTerminal(installed)
      terminal.stdin.write(keys)
      expect(await ended()).toEqual({
        code: 1,
        shown: expect.stringMatching(/\? Type yes\. (?:no\s+)?Nothing was changed\.\s+$/),
      })
    })

    test('a terminal that is closed changes nothing, and leaves no copy behind', async () => {
      const { terminal, files } = await restoreInTerminal(installed)
      expect(files()).toContain('test.db.unfinished')
      terminal.kill('SIGKILL')
      await expect.poll(files).not.toContain('test.db.unfinished')
      expect(files().filter((name) => /unfinished|before-restore/.test(name))).toEqual([])
    })
  },
)

interface Installed {
  url: string
  /** Of the database. */
  folder: string
  backup: string
}

/** Waits until it asks. */
async function restoreInTerminal({ url, folder, backup }: Installed) {
  const line = `"$NODE" server.ts owner restore ${backup}`
  const terminal = spawn('script', ['--quiet', '--return', '--command', line, '/dev/null'], {
    ...inClone(url),
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(() => void terminal.kill())
  const closed = once(terminal, 'close')
  let shown = ''
  terminal.stdout.on('data', (text) => (shown += text))
  await expect.poll(() => shown).toContain('? Type yes. ')
  return {
    terminal,
    files: () => readdirSync(folder),
    async ended() {
      const [code] = await closed
      return { code, shown: stripVTControlCharacters(shown) }
    },
  }
}

test.skipIf(!isPosix)(
  'a backup that the user may not read is named, with the user it must belong to',
  () => {
    const folder = temporaryFolder()
    chmodSync(folder, 0o755)
    const file = join(folder, 'backup.db')
    writeFileSync(file, 'backup', { mode: 0o000 })
    const closed = join(folder, 'closed')
    mkdirSync(closed, { mode: 0o600 })
    for (const path of [file, join(closed, 'backup.db')]) {
      expect(restoreAsAnother(path)).toMatch(
        /^\/.*backup\.db cannot be read: it must belong to the user \d+ \(chown \d+ .*\), and be in a folder/,
      )
    }
  },
)

/** As this user, or as nobody if this is root. */
function restoreAsAnother(path: string): string {
  const program = `
    import { main } from '#owner/start/main.ts'
    import '#owner/start/run-owner-command.ts'
    const nobody = 65_534
    if (process.getuid() === 0) {
      process.setgid(nobody)
      process.setuid(nobody)
    }
    await main(['restore', process.argv[1]])`
  const words = ['--input-type=module', '--eval', program, path]
  return spawnSync(process.execPath, words, { encoding: 'utf8' }).stderr
}

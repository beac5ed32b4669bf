import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
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
  return spawnSync('/bin/sh', ['-c', line], {
    cwd: join(import.meta.dirname, '../..'),
    env: { ...process.env, NODE: process.execPath, DATABASE_URL: url },
    encoding: 'utf8',
  })
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

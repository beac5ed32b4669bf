import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#rigs/temporary-folder.ts'

const unit = join(import.meta.dirname, '../../docs/operations/starter-bot-backup.service')

test.skipIf(!existsSync('/bin/sh'))(
  '(where there is a shell) what a power cut left of a backup goes before the next one, and no backup with it',
  () => {
    const folder = temporaryFolder()
    const left = ['2026-11-20.db.unfinished', '2026-11-20.db.unfinished-journal']
    for (const name of ['2026-11-19.db', ...left]) writeFileSync(join(folder, name), '')
    const clear = () => runInShell(lineOf('ExecStartPre'), folder)
    expect(clear()).toMatchObject({ status: 0, stderr: '' })
    expect(readdirSync(folder)).toEqual(['2026-11-19.db'])
    expect(clear()).toMatchObject({ status: 0, stderr: '' })
  },
)

/** As systemd hands it to the shell. */
function lineOf(setting: string): string {
  const [, line = ''] =
    new RegExp(`^${setting}=/bin/sh -c '(.*)'$`, 'm').exec(readFileSync(unit, 'utf8')) ?? []
  return line.replaceAll('$$', '$').replaceAll('%%', '%')
}

function runInShell(line: string, stateDirectory: string) {
  const env = { ...process.env, STATE_DIRECTORY: stateDirectory }
  return spawnSync('/bin/sh', ['-c', line], { env, encoding: 'utf8' })
}

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const personal = [
  'data/bot.db',
  'bot.db',
  'bot.db-wal',
  'bot.db.before-restore-1',
  'backups/monday',
  'people.csv',
]
const secret = ['.env', '.env.production', 'dkim.pem', 'dkim.key', 'server.log']
const made = ['dist/site/bundle.json', 'release/starter-bot', 'test-artefacts/page.png']

// A downloaded ZIP has no repository that could be asked.
test.skipIf(!existsSync(join(root, '.git')))(
  'git ignores data of people, secrets and what is made, and keeps the example',
  () => {
    const ignored = (path: string) =>
      spawnSync('git', ['check-ignore', '--quiet', path], { cwd: root }).status
    const paths = [...personal, ...secret, ...made]
    expect(paths.filter((path) => ignored(path) !== 0)).toEqual([])
    expect(ignored('.env.example')).toBe(1)
  },
)

test('what an owner’s command writes is for its account alone', () => {
  const program = `
    process.umask(0o022)
    process.on('exit', () => console.error(process.umask().toString(8)))
    const { main } = await import('#owner/start/main.ts')
    await main(['help'])`
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: root,
    encoding: 'utf8',
  })
  expect(stderr).toBe('77\n')
})

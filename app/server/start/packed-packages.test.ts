import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#rigs/temporary-folder.ts'

test('an import resolves to the packed package, or to the files of a package that was not packed', () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'kysely.cjs'), `exports.sql = 'from the packed file'`)
  // In a child process, because the hook cannot be removed.
  const program = `
    import { usePackedPackages } from './app/server/start/packed-packages.ts'
    usePackedPackages(${JSON.stringify(folder)})
    const { sql } = await import('kysely')
    const { createTransport } = await import('nodemailer')
    console.log(sql, typeof createTransport)`
  const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: join(import.meta.dirname, '../../..'),
    encoding: 'utf8',
  })
  expect(printed).toBe('from the packed file function\n')
})

import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#rigs/temporary-folder.ts'

test('an import resolves to the packed package, or to the files of a package that was not packed', () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'kysely.cjs'), `exports.sql = 'from the packed file'`)
  const printed = run(`
    import { usePackedPackages } from './app/server/start/packed-packages.ts'
    usePackedPackages(${JSON.stringify(folder)})
    const { sql } = await import('kysely')
    const { createTransport } = await import('nodemailer')
    console.log(sql, typeof createTransport)`)
  expect(printed).toBe('from the packed file function\n')
})

test('the server loads Node’s fetch only when it is used', () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'nodemailer.cjs'), 'exports.createTransport = () => ({})')
  const printed = run(`
    import { usePackedPackages } from './app/server/start/packed-packages.ts'
    usePackedPackages(${JSON.stringify(folder)})
    await import('#server/start/start-server.ts')
    await import('#owner/extensions.ts')
    console.log(process.moduleLoadList.some((name) => name.includes('undici')))`)
  expect(printed).toBe('false\n')
})

/** In a process of its own: hooks cannot be removed, and modules cannot be unloaded. */
function run(program: string): string {
  return execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: join(import.meta.dirname, '../../..'),
    encoding: 'utf8',
  })
}

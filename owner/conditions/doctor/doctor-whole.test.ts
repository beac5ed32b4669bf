import { expect, test } from 'vitest'
import { askDoctor, nowhere } from '#rigs/owner/doctor-terminal.ts'
import { makeProjectFolder, startDoctorSite } from '#rigs/owner/doctor-site.ts'
import { ownerOf } from '#rigs/owner/owner-commands.ts'
import { openOwnerTerminal } from '#rigs/owner/owner-terminal.ts'
import { stubSite } from '#rigs/server/stub-pages.ts'
import { storeVersion } from '#server/site/versions/store-version.ts'

test('a fresh installation has one warning, its placeholders, and what cannot be checked yet is no error', async () => {
  const { owner } = await openOwnerTerminal(
    { PUBLIC_URL: nowhere },
    { folder: makeProjectFolder() },
  )
  const { code, printed } = await owner('doctor')
  expect({ code, end: printed.trimEnd().split('\n').at(-1) }).toEqual({
    code: 0,
    end: expect.stringMatching(/^Nothing is wrong\. 1 warning, \d+ not checked, \d+ ok\.$/),
  })
})

test('nothing is wrong with a running installation, and all of it is checked', async () => {
  const { environment, folder } = await startDoctorSite()
  const { code, conditions } = await askDoctor({ environment, outside: { folder } })
  const others = conditions.filter(({ severity }) => severity !== 'fine').map(({ id }) => id)
  expect(others).toEqual(['you.name'])
  expect(code).toBe(0)
})

test('a placeholder that a published text replaces is not found', async () => {
  const { database, owner } = await openOwnerTerminal({ PUBLIC_URL: nowhere })
  const texts = { 'brand.creatorName': 'Ada Byron', 'brand.postalAddress': '1 Field Road, London' }
  const made = { source: { difference: { texts }, files: {} }, bundle: stubSite() }
  await storeVersion(database, made, { about: 'Name', now: 1 })
  expect((await owner('doctor')).printed).toContain('Ada Byron, 1 Field Road, London')
})

test('with errors in the configuration, these are the only ones', async () => {
  const { code, conditions } = await askDoctor({
    environment: { PORT: 'x', PUBLIC_URL: 'nonsense' },
  })
  expect(code).toBe(1)
  expect(conditions.map(({ severity, what }) => `${severity} ${what.slice(0, 20)}`)).toEqual([
    'error PORT must be a whole',
    'error PUBLIC_URL must be a',
  ])
})

test('a missing database is not created', async () => {
  const { code, printed } = await ownerOf('file:/nowhere/none.db', { PUBLIC_URL: nowhere })(
    'doctor',
  )
  expect(code).toBe(1)
  expect(printed).toMatch(/ERROR +There is no database at .*none\.db yet/)
})

test('each condition of the JSON has an id, a severity, and three sentences', async () => {
  const { conditions } = await askDoctor({
    environment: { NODE_ENV: 'production', SMTP_URL: 'smtp://127.0.0.1:1' },
  })
  const wrong = conditions.filter(({ severity }) => severity === 'blocks')
  expect(wrong.length).toBeGreaterThan(0)
  for (const { id, what, why, advice } of wrong) {
    expect(id).toMatch(/^[a-z-]+\.[a-z-]+$/)
    for (const text of [what, why, advice]) expect(text).toMatch(/\S.*[.0-9]$/)
  }
})

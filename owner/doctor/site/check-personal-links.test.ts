import { expect, test } from 'vitest'
import { guideOf, makeProjectFolder, type ProxyAnswer, startDoctorSite } from '#rigs/owner/doctor-site.ts'
import { askDoctor } from '#rigs/owner/doctor-terminal.ts'
import { readDailyCounts } from '#server/statistics/daily-counts.ts'
import { openTemporaryDatabase } from '#rigs/database/temporary-database.ts'
import { withTemporarySubscriber } from './temporary-subscriber.ts'

/** Runs the doctor on a running site whose proxy answers paths that end in `ending`. */
async function linksWith(ending?: string, answer: ProxyAnswer = { status: 200 }) {
  const site = await startDoctorSite(({ url }) =>
    ending !== undefined && url?.endsWith(ending) ? answer : undefined,
  )
  const found = await askDoctor({ environment: site.environment, outside: { folder: site.folder } })
  const subscribers = await site.database.query.selectFrom('subscribers').selectAll().execute()
  return { ...found, ...site, subscribers }
}

test('the links work, and the temporary subscriber is gone and not counted', async () => {
  const { said, subscribers, database } = await linksWith()
  expect(said('links.files')).toBe(
    'ok The links in the mail serve ema-crossover.pine and setup-guide.pdf, unchanged.',
  )
  expect(said('links.one-click')).toMatch(/^ok One-click unsubscribe works/)
  expect(subscribers).toEqual([])
  const counts = await readDailyCounts(database.query, '2000-01-01')
  expect(counts.filter(({ event, count }) => event === 'unsubscribed' && count !== 0)).toEqual([])
})

test.each([
  ['redirects the POST', { status: 301, headers: { location: '/' } }, 'answers with status 301'],
  ['forbids the POST', { status: 405 }, 'answers with status 405'],
  ['answers instead of the site', { status: 200 }, 'nobody is unsubscribed'],
])('a proxy that %s breaks one-click unsubscribe', async (_name, answer, what) => {
  const { said, subscribers } = await linksWith('/unsubscribe', answer)
  expect(said('links.one-click')).toMatch(/^wrong /)
  expect(said('links.one-click')).toContain(what)
  expect(subscribers).toEqual([])
})

test('a file that differs from this checkout is wrong', async () => {
  const { said } = await linksWith('/setup-guide.pdf', { status: 200, body: guideOf('1.0.0') })
  expect(said('links.files')).toMatch(/^wrong The site serves another setup-guide.pdf than/)
})

test('a site on another database is wrong', async () => {
  const { PUBLIC_URL } = (await startDoctorSite()).environment
  const { said } = await askDoctor({ environment: { PUBLIC_URL }, outside: { folder: makeProjectFolder() } })
  for (const id of ['links.files', 'links.one-click'])
    expect(said(id)).toMatch(/^wrong .*it uses another database/)
})

test('the temporary subscriber of a killed doctor is erased by the next one', async () => {
  const database = await openTemporaryDatabase()
  const { promise: isThere, resolve } = Promise.withResolvers<void>()
  const forEver = new Promise<never>(() => {})
  void withTemporarySubscriber(database, 0, 'files', () => (resolve(), forEver))
  await isThere
  await withTemporarySubscriber(database, 60 * 60_000, 'files', async () => {})
  expect(await database.query.selectFrom('subscribers').select('identity').execute()).toEqual([])
})

test('the temporary subscriber is erased also if the links cannot be tried', async () => {
  const database = await openTemporaryDatabase()
  const failing = withTemporarySubscriber(database, 0, 'files', () => Promise.reject(new Error('no')))
  await expect(failing).rejects.toThrow('no')
  expect(await database.query.selectFrom('subscribers').select('identity').execute()).toEqual([])
})

import sql, { raw } from 'sql-template-tag'
import { expect, test } from 'vitest'
import { temporaryDatabase } from '#rigs/database/temporary-database.ts'
import { stubSite } from '#rigs/server/stub-pages.ts'
import type { SiteBundle } from '#site/bundle.ts'
import { defaultSource } from '#site/source.ts'
import { type Database, Unavailable } from '../database/database.ts'
import { createLog } from '../log.ts'
import { PublishedSite } from './load-site.ts'
import { storeVersion } from './versions/store-version.ts'
import { readPublished } from './versions/versions.ts'

const defaults = 'the defaults'
const titleOf = ({ bundle }: { bundle: SiteBundle }) => bundle.pages['landing']

function siteOf(build: string, title: string): SiteBundle {
  return stubSite({ build, pages: { landing: title } })
}

function publish(database: Database, title: string, build = 'old') {
  const version = { source: defaultSource, bundle: siteOf(build, title) }
  return storeVersion(database, version, { about: title, now: 1 })
}

async function failureIn(database: Database) {
  return (await readPublished(database))?.failure
}

/**
 * An instance of one build. `made`: what its renderer makes of the version; an Error: it cannot.
 */
function instance(
  database: Database,
  build: string,
  made: string | Error = new Error('not asked'),
) {
  const state = { made, makes: 0, now: 0, log: '' }
  const site = new PublishedSite({
    database,
    renderer: {
      async make() {
        state.makes += 1
        if (state.made instanceof Error) throw state.made
        return siteOf(build, state.made)
      },
    },
    built: siteOf(build, defaults),
    log: createLog('error', (line) => (state.log += line)),
    now: () => state.now,
  })
  return Object.assign(state, { site })
}

test('before anything is published the defaults are served', async () => {
  const { database } = await temporaryDatabase()
  const { site } = instance(database, 'old')
  const served = await site.load()
  expect(titleOf(served)).toBe(defaults)
  expect(await site.newerThan(served)).toBeUndefined()
})

test('a start loads what is stored, and makes nothing', async () => {
  const { database } = await temporaryDatabase()
  const { id } = await publish(database, 'Tide')
  const { site } = instance(database, 'old')
  const served = await site.load()
  expect(served).toEqual({ version: id, bundle: siteOf('old', 'Tide') })
  expect(await site.newerThan(served)).toBeUndefined()
})

test('the first instance of another build makes it anew, and the next ones load that', async () => {
  const { database } = await temporaryDatabase()
  await publish(database, 'Tide')
  const first = instance(database, 'new', 'Tide, made anew')
  expect(titleOf(await first.site.load())).toBe('Tide, made anew')
  expect(titleOf(await instance(database, 'new').site.load())).toBe('Tide, made anew')
  expect(first.makes).toBe(1)
})

test('a build that cannot make it serves what is stored, says so, and tries again every minute', async () => {
  const { database } = await temporaryDatabase()
  await publish(database, 'Tide')
  const updated = instance(database, 'new', new Error('words do not fit'))
  const served = await updated.site.load()
  expect(titleOf(served)).toBe('Tide')
  expect(updated.log).toContain('stays as an earlier build made it')
  expect(await failureIn(database)).toEqual({ build: 'new', why: 'words do not fit' })
  updated.made = 'Tide, made anew'
  updated.now = 59_000
  expect(await updated.site.newerThan(served)).toBeUndefined()
  updated.now = 60_000
  const newer = await updated.site.newerThan(served)
  expect(newer && titleOf(newer)).toBe('Tide, made anew')
  expect(await failureIn(database)).toBeUndefined()
})

test('an instance that fails loads what another of its build has made, and hides no other alarm', async () => {
  const { database } = await temporaryDatabase()
  await publish(database, 'Tide')
  const failing = instance(database, 'new', new Error('out of memory'))
  const served = await failing.site.load()
  await instance(database, 'new', 'Tide, made anew').site.load()
  expect(await failureIn(database)).toBeUndefined()
  failing.now = 60_000
  const newer = await failing.site.newerThan(served)
  expect(newer && titleOf(newer)).toBe('Tide, made anew')
  expect(failing.makes).toBe(1)
})

test('a version whose bytes are lost is made again; if that fails too, nothing takes its place', async () => {
  const { database } = await temporaryDatabase()
  await publish(database, 'Tide')
  await database.transaction((transaction) =>
    transaction.run(sql`delete from content_file_parts where part = 0`),
  )
  const failing = instance(database, 'old', new Error('words do not fit'))
  await expect(failing.site.load()).rejects.toThrow(
    /^Version 1 of your page cannot be read .*\(words do not fit\)\. Restore a backup$/,
  )
  expect(failing.log).toContain('are lost')
  const { site } = instance(database, 'old', 'Tide, made again')
  expect(titleOf(await site.load())).toBe('Tide, made again')
})

test('an update that could not make it and was taken back leaves no note', async () => {
  const { database } = await temporaryDatabase()
  await publish(database, 'Tide')
  await instance(database, 'new', new Error('words do not fit')).site.load()
  expect(await failureIn(database)).toBeDefined()
  expect(titleOf(await instance(database, 'old').site.load())).toBe('Tide')
  expect(await failureIn(database)).toBeUndefined()
  const updated = instance(database, 'new', 'Tide, made anew')
  expect(titleOf(await updated.site.load())).toBe('Tide, made anew')
})

test.each(['difference', 'files'])(
  'a version whose %s cannot be read is served as it is stored, also after an update',
  async (column) => {
    const { database } = await temporaryDatabase()
    await publish(database, 'Tide')
    await database.transaction((transaction) =>
      transaction.run(sql`update page_versions set ${raw(column)} = '{"cut'`),
    )
    expect(titleOf(await instance(database, 'old').site.load())).toBe('Tide')
    const updated = instance(database, 'new', 'Tide, made anew')
    expect(titleOf(await updated.site.load())).toBe('Tide')
    expect(updated.log).toContain('stays as an earlier build made it')
  },
)

test('a version whose record of bytes cannot be read is made again', async () => {
  const { database } = await temporaryDatabase()
  await publish(database, 'Tide')
  await database.transaction((transaction) =>
    transaction.run(sql`update page_versions set bundle = '{"cut'`),
  )
  const { site } = instance(database, 'old', 'Tide, made again')
  expect(titleOf(await site.load())).toBe('Tide, made again')
})

test('a newer version is found again until it is served', async () => {
  const { database } = await temporaryDatabase()
  const { site } = instance(database, 'old')
  const before = await site.load()
  await publish(database, 'Tide')
  for (const look of ['first', 'second']) {
    const newer = await site.newerThan(before)
    expect(newer && titleOf(newer), look).toBe('Tide')
  }
})

test('a version is not given up because the database was away for a moment', async () => {
  const { database } = await temporaryDatabase()
  await publish(database, 'Tide')
  let isAway = true
  const away: Database = {
    ...database,
    async rows(query) {
      if (isAway && query.sql.includes('content_file_parts')) throw new Unavailable('away')
      return database.rows(query)
    },
  }
  const { site } = instance(away, 'old')
  await expect(site.load()).rejects.toThrow('away')
  isAway = false
  expect(titleOf(await site.load())).toBe('Tide')
  expect(await failureIn(database)).toBeUndefined()
})

test('what cannot be stored is served all the same', async () => {
  const { database } = await temporaryDatabase()
  await publish(database, 'Tide')
  const full: Database = {
    ...database,
    transaction: () => Promise.reject(new Unavailable('the disk is full')),
  }
  const updated = instance(full, 'new', 'Tide, made anew')
  expect(titleOf(await updated.site.load())).toBe('Tide, made anew')
  expect(updated.log).toContain('could not be stored')
  const failing = instance(full, 'new', new Error('no room to draw'))
  expect(titleOf(await failing.site.load())).toBe('Tide')
  expect(failing.log).toContain('stays as an earlier build made it')
})

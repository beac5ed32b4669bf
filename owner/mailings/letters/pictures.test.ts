import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { dayMs } from '#server/database/clock.ts'
import { temporaryDatabase } from '#rigs/database/temporary-database.ts'
import { pngOf } from '#rigs/server/png.ts'
import { emptyExtension, testApp } from '#rigs/server/test-app.ts'
import { ownerMigrations } from '#owner/tables/migrations.ts'
import type { Reader } from '#server/database/database.ts'
import { addMailing } from '../mailings.ts'
import { addPictureRoute, keepPictures } from './picture-route.ts'
import { addPicture, checkPictures, maxPictureBytes, readPicture } from './pictures.ts'

/** 64 by 32 pixels, as far as its header tells. */
const jpeg = Buffer.from('ffd8ffc00011080020004003012200021101031101ffda000212ffd9', 'hex')

test('a picture is served from the site to any reader under a name of its bytes and size, and cached for ever', async () => {
  const app = await testApp({
    extension: {
      ...emptyExtension,
      migrations: ownerMigrations,
      start: async (server, { database }) => addPictureRoute(server, database),
    },
  })
  const path = await addPicture(app.database, pngOf(1104, 620), 1)
  expect(path).toMatch(/^\/pictures\/[\w-]{22}-1104x620\.png$/)
  expect(await addPicture(app.database, pngOf(1104, 620), 2)).toBe(path)
  const answer = await app.inject(path)
  expect(answer.statusCode).toBe(200)
  expect(answer.headers).toMatchObject({
    'content-type': 'image/png',
    'cache-control': 'public, max-age=31536000, immutable',
    'cross-origin-resource-policy': 'cross-origin',
  })
  expect(answer.rawPayload).toEqual(pngOf(1104, 620))
  expect((await app.inject(path.replace('1104', '1103'))).statusCode).toBe(404)
  expect((await app.inject('/pictures/other')).statusCode).toBe(404)
})

test('a picture is read from the database once for its readers', async () => {
  const { app, reads } = await appThatCountsReads()
  const path = await addPicture(app.database, pngOf(1104, 620), 1)
  for (let reader = 0; reader < 3; reader += 1) {
    expect((await app.inject(path)).rawPayload).toEqual(pngOf(1104, 620))
  }
  expect(reads()).toBe(1)
})

test('readers who ask for a picture at the same moment share one reading', async () => {
  const { app, reads } = await appThatCountsReads()
  const path = await addPicture(app.database, pngOf(1104, 620), 1)
  await Promise.all(Array.from({ length: 20 }, () => app.inject(path)))
  expect(reads()).toBe(1)
})

test('pictures are kept in memory up to so many bytes, and the oldest goes first', async () => {
  const { database } = await temporaryDatabase(ownerMigrations)
  const names: string[] = []
  for (let width = 1; width <= 9; width += 1) {
    names.push((await addPicture(database, pngOf(width, 10), 1)).split('/').at(-1)!)
  }
  let total = 0
  for (const name of names) total += (await readPicture(database, name))!.length
  let reads = 0
  const row: Reader['row'] = (query) => {
    reads += 1
    return database.row(query)
  }
  const pictures = keepPictures({ rows: database.rows, row }, total - 1)
  for (const name of names) await pictures.read(name)
  expect(reads).toBe(9)
  for (const name of names.slice(1)) await pictures.read(name)
  expect(reads, 'the others are still there').toBe(9)
  await pictures.read(names[0]!)
  expect(reads).toBe(10)
})

test('all pictures have a room; the oldest that no letter and no mail has makes place after a day, others never', async () => {
  const { database } = await temporaryDatabase(ownerMigrations)
  const room = 3 * pngOf(1, 10).toString('base64').length // all of the test are as long
  const add = (width: number, now: number) => addPicture(database, pngOf(width, 10), now, room)
  const inLetter = await add(1, 1)
  const [first, second] = [await add(2, 2), await add(3, 3)]
  await database.transaction(async (transaction) => {
    await addMailing(transaction, { words: `![x](${inLetter})` }, 1)
  })
  await expect(add(4, 4)).rejects.toThrow(/^There is no room for more pictures/)
  expect(await add(2, 4)).toBe(first) // the same takes no more room, and is needed again
  await expect(add(4, dayMs + 3)).rejects.toThrow(/^There is no room/)
  const keeps = async (...paths: string[]) => {
    const kept = await database.rows<{ name: string }>(sql`select name from letter_pictures`)
    expect(new Set(kept.map(({ name }) => `/pictures/${name}`))).toEqual(new Set(paths))
  }
  await keeps(inLetter, first, second)
  const third = await add(4, dayMs + 4)
  await keeps(inLetter, first, third)
  await keeps(inLetter, third, await add(5, 3 * dayMs))
})

test('a JPEG is served as one', async () => {
  const { app } = await appThatCountsReads()
  const answer = await app.inject(await addPicture(app.database, jpeg, 1))
  expect(answer.headers).toMatchObject({ 'content-type': 'image/jpeg' })
  expect(answer.rawPayload).toEqual(jpeg)
})

/** A site with the pictures of letters. `reads`: how often the database was asked for one. */
async function appThatCountsReads() {
  let reads = 0
  const app = await testApp({
    extension: {
      ...emptyExtension,
      migrations: ownerMigrations,
      start: async (server, { database }) =>
        addPictureRoute(server, {
          ownerReads: {
            rows: database.ownerReads.rows,
            row: (query) => {
              reads += 1
              return database.ownerReads.row(query)
            },
          },
        }),
    },
  })
  return { app, reads: () => reads }
}

test('a place that a camera wrote into a picture does not leave the desk', async () => {
  const { database } = await temporaryDatabase(ownerMigrations)
  const path = await addPicture(database, pngOf(64, 32, { eXIf: Buffer.from('a place') }), 1)
  expect(await readPicture(database, path.split('/').at(-1)!)).toEqual(pngOf(64, 32))
})

test.each([
  ['as wide and as high as may be', pngOf(1104, 10_000), '1104x10000.png'],
  ['of one pixel', pngOf(1, 1), '1x1.png'],
  ['as large as may be', Buffer.concat([pngOf(64, 32)], maxPictureBytes), '64x32.png'],
  ['as a JPEG', jpeg, '64x32.jpg'],
])('a picture %s is kept', async (_what, bytes, size) => {
  const { database } = await temporaryDatabase(ownerMigrations)
  expect(await addPicture(database, bytes, 1)).toContain(`-${size}`)
})

test.each([
  ['text', Buffer.from('<svg/>'), 'This is not a PNG or JPEG picture'],
  ['a JPEG that is cut off', jpeg.subarray(0, 12), 'damaged or cut off'],
  ['a PNG that is cut off', pngOf(64, 32).subarray(0, 23), 'damaged or cut off'],
  ['a picture that is too high', pngOf(10, 10_001), 'at most 10000 pixels high'],
  ['a wide picture', pngOf(1105, 10), 'at most 1104 pixels wide'],
  ['a large file', Buffer.alloc(maxPictureBytes + 1), 'at most 2 MB'],
])('%s is refused', async (_what, bytes, why) => {
  const { database } = await temporaryDatabase(ownerMigrations)
  await expect(addPicture(database, bytes, 1)).rejects.toThrow(why)
})

test('a letter has at most ten pictures, each with a description', () => {
  expect(() => checkPictures('![a chart](/pictures/x.png)'.repeat(10))).not.toThrow()
  expect(() => checkPictures('![ ](/pictures/x.png)')).toThrow('no description')
  expect(() => checkPictures('![a](/pictures/x.png)'.repeat(11))).toThrow('at most 10 pictures')
})

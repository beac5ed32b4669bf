import { hash } from 'node:crypto'
import sql from 'sql-template-tag'
import { readRaster, rasterType } from '#site/files/raster.ts'
import type { Database, Reader } from '#server/database/database.ts'
import { CommandError } from '#owner/acts/errors.ts'
import { widestPicture } from '../limits.ts'
import { makeRoomForPicture, roomForPictures } from './picture-room.ts'

/** In a letter's Markdown, and on the site. */
export const picturesPath = '/pictures/'
export const maxPictureBytes = 2_000_000
const maxPictures = 10
const highestPicture = 10_000

const nameForm = /^[\w-]{22}-(\d{1,5})x(\d{1,5})\.(?:png|jpg)$/
/** Lengths are limited: an unlimited one takes long for a text of brackets. */
const inMarkdown = /!\[([^\]]{0,1000})\]\(\/pictures\/[^)]{0,100}\)/g

interface PictureSize {
  width: number
  height: number
}

/** As it is shown in a mail: half its pixels. Undefined: it is no address of a picture. */
export function shownSize(path: string): PictureSize | undefined {
  if (!path.startsWith(picturesPath)) return undefined
  const [, width, height] = nameForm.exec(path.slice(picturesPath.length)) ?? []
  if (width === undefined) return undefined
  return { width: Math.round(Number(width) / 2), height: Math.round(Number(height) / 2) }
}

/** A mail program that blocks pictures shows the description, so each picture has one. */
export function checkPictures(markdown: string): void {
  const pictures = [...markdown.matchAll(inMarkdown)]
  if (pictures.length > maxPictures) {
    throw new CommandError(`A letter has at most ${maxPictures} pictures.`)
  }
  if (pictures.some(([, description = '']) => description.trim() === '')) {
    throw new CommandError('A picture has no description: write it between the brackets.')
  }
}

/**
 * Keeps a picture, and returns its path. The same bytes have the same path. `room`: for those of
 * all letters, in bytes.
 */
export async function addPicture(
  database: Database,
  bytes: Buffer,
  now: number,
  room = roomForPictures,
): Promise<string> {
  const { path, content } = pictureOf(bytes)
  const name = path.slice(picturesPath.length)
  const stored = content.toString('base64')
  await database.transaction(async (transaction) => {
    const isKnown = await transaction.run(
      sql`update letter_pictures set added_at = ${now} where name = ${name}`,
    )
    if (isKnown > 0) return
    await makeRoomForPicture(transaction, { wanted: stored.length, room, now })
    await transaction.run(sql`
      insert into letter_pictures (name, content, added_at) values (${name}, ${stored}, ${now})
      on conflict do nothing`)
  })
  return path
}

/** A picture as it is kept, and its path. Throws a CommandError if it cannot be kept. */
function pictureOf(bytes: Buffer): { path: string; content: Buffer } {
  if (bytes.length > maxPictureBytes) throw new CommandError('A picture has at most 2 MB.')
  const type = rasterType(bytes)
  if (!type) throw new CommandError('This is not a PNG or JPEG picture.')
  const picture = readRaster(bytes)
  if (!picture) throw new CommandError('The picture is damaged or cut off. Save it again.')
  const { width, height } = picture
  if (width > widestPicture) {
    throw new CommandError(`A picture is at most ${widestPicture} pixels wide.`)
  }
  if (height > highestPicture) {
    throw new CommandError(`A picture is at most ${highestPicture} pixels high.`)
  }
  const content = Buffer.from(picture.bytes)
  const digest = hash('sha256', content, 'base64url').slice(0, 22)
  const ending = type === 'image/png' ? 'png' : 'jpg'
  return { path: `${picturesPath}${digest}-${width}x${height}.${ending}`, content }
}

/** The bytes of a picture by the last part of its path. */
export async function readPicture(reader: Reader, name: string): Promise<Buffer | undefined> {
  if (!nameForm.test(name)) return undefined
  const row = await reader.row<{ content: string }>(
    sql`select content from letter_pictures where name = ${name}`,
  )
  return row && Buffer.from(row.content, 'base64')
}

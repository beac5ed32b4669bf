import { hash } from 'node:crypto'
import sql from 'sql-template-tag'
import { pngSize } from '#site/png-size.ts'
import type { Database, Reader } from '#server/database/database.ts'
import { CommandError } from '#owner/acts/command-context.ts'
import { widestPicture } from './picture-limits.ts'

/** In a letter's Markdown, and on the site. */
export const picturesPath = '/pictures/'
export const maxPictureBytes = 2_000_000
const maxPictures = 10

const nameForm = /^[\w-]{22}-(\d{1,5})x(\d{1,5})\.(?:png|jpg)$/
const inMarkdown = /!\[([^\]]*)\]\(\/pictures\/[^)]*\)/g

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

/** Keeps a picture, and returns its path. The same bytes have the same path. */
export async function addPicture(database: Database, bytes: Buffer, now: number): Promise<string> {
  const path = picturePath(bytes)
  const name = path.slice(picturesPath.length)
  const content = bytes.toString('base64')
  await database.transaction((transaction) =>
    transaction.run(sql`
      insert into letter_pictures (name, content, added_at) values (${name}, ${content}, ${now})
      on conflict do nothing`),
  )
  return path
}

/** The path that a picture would have. Throws if it cannot be kept. */
export function picturePath(bytes: Buffer): string {
  if (bytes.length > maxPictureBytes) throw new CommandError('A picture has at most 2 MB.')
  const png = sizeIfPng(bytes)
  const size = png ?? jpegSize(bytes)
  if (!size) throw new CommandError('This is not a PNG or JPEG picture.')
  if (size.width > widestPicture) {
    throw new CommandError(`A picture is at most ${widestPicture} pixels wide.`)
  }
  const digest = hash('sha256', bytes, 'base64url').slice(0, 22)
  return `${picturesPath}${digest}-${size.width}x${size.height}.${png ? 'png' : 'jpg'}`
}

/** The bytes of a picture by the last part of its path. */
export async function readPicture(reader: Reader, name: string): Promise<Buffer | undefined> {
  if (!nameForm.test(name)) return undefined
  const row = await reader.row<{ content: string }>(
    sql`select content from letter_pictures where name = ${name}`,
  )
  return row && Buffer.from(row.content, 'base64')
}

const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex')

function sizeIfPng(bytes: Buffer): PictureSize | undefined {
  if (bytes.length < 24 || !bytes.subarray(0, 8).equals(pngSignature)) return undefined
  const { width, height } = pngSize(bytes)
  return sizeOf(width, height)
}

/** Walks the segments to the one that begins a frame, which holds the size: ITU T.81, B.2.2. */
function jpegSize(bytes: Buffer): PictureSize | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined
  let offset = 2
  while (offset + 9 <= bytes.length && bytes[offset] === 0xff) {
    const marker = bytes[offset + 1]!
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return sizeOf(bytes.readUInt16BE(offset + 7), bytes.readUInt16BE(offset + 5))
    offset += 2 + bytes.readUInt16BE(offset + 2)
  }
  return undefined
}

const highestPicture = 10_000

function sizeOf(width: number, height: number): PictureSize | undefined {
  return width > 0 && height > 0 && height <= highestPicture ? { width, height } : undefined
}

import { z } from 'zod'
import { fileKinds, type OwnFile } from '#site/source.ts'
import type { Reader } from '#server/database/database.ts'
import type { Publication } from '#server/site/publish.ts'
import { publishedId, readSource } from '#server/site/versions/versions.ts'
import { CommandError } from '#owner/acts/errors.ts'
import { isCheapToParse } from '#owner/acts/json-cost.ts'
import { contentValue } from './content-value.ts'

/** The name of the format, which the file begins with. */
const format = 'starter-bot content 1'

const file = z.strictObject({
  name: z.string().max(1_000),
  mediaType: z.string(),
  base64: z.string(),
})

const contentFile = z.strictObject({
  format: z.literal(format),
  texts: z.record(z.string(), contentValue),
  /** Files of before 1.0.0 have it. It counts for nothing. */
  stillTrue: z.array(z.string()).optional(),
  files: z.partialRecord(z.enum(fileKinds), file),
})

/** The published page as one file: texts that differ from the defaults, and the files. */
export async function exportContent(reader: Reader): Promise<string> {
  const id = await publishedId(reader)
  if (id === undefined) return writeContentFile({ content: { texts: {} }, files: {} })
  const { difference, files } = await readSource(reader, id)
  return writeContentFile({ content: difference, files })
}

function writeContentFile({ content, files }: Omit<Publication, 'about'>): string {
  const entries = Object.entries(files).map(([kind, { name, mediaType, bytes }]) => [
    kind,
    { name, mediaType, base64: Buffer.from(bytes).toString('base64') },
  ])
  const written = { format, texts: content.texts, files: Object.fromEntries(entries) }
  return `${JSON.stringify(written, null, 2)}\n`
}

/** Throws a CommandError that names what is wrong with the file. */
export function readContentFile(text: string): Omit<Publication, 'about'> {
  const parsed = contentFile.safeParse(parseJson(text))
  if (!parsed.success) throw new CommandError(faultOf(parsed.error))
  const { texts, files } = parsed.data
  const own = Object.entries(files).flatMap(([kind, given]) =>
    given ? [[kind, ownFile(given)] as const] : [],
  )
  return {
    content: { texts },
    files: Object.fromEntries(own),
  }
}

function parseJson(text: string): unknown {
  if (!isCheapToParse(text)) throw new CommandError('The file was not exported here.')
  try {
    return JSON.parse(text)
  } catch {
    throw new CommandError('The file is not JSON.')
  }
}

function ownFile({ name, mediaType, base64 }: z.infer<typeof file>): OwnFile {
  return { name, mediaType, bytes: Buffer.from(base64, 'base64') }
}

function faultOf({ issues }: z.ZodError): string {
  const [issue] = issues
  const path = issue?.path.join('.') ?? ''
  if (path === 'format' || path === '') {
    const unknown =
      issue?.code === 'unrecognized_keys' ? ` It has “${issue.keys.join('”, “')}”.` : ''
    return `The file was not exported here: it is from another product.${unknown}`
  }
  const unknown = issue?.code === 'unrecognized_keys' ? ` “${issue.keys.join('”, “')}”` : ''
  return `The file has something unknown at “${path}”${unknown}: ${issue?.message ?? ''}.`
}

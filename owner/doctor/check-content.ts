import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Check, type Finding, subject } from './finding.ts'

const about = subject(
  'content.placeholders',
  'Visitors and readers see them; a real postal address in the mail is required by law.',
)

export const contentChecks: Check[] = [
  { about, look: async ({ folder, config }) => [await checkContent(folder, config.production)] },
]

/** `[Creator name]` and the like, in any file of content/. */
async function checkContent(folder: string, production: boolean): Promise<Finding> {
  const names = (await readdir(join(folder, 'content'), { recursive: true })).filter((name) =>
    name.endsWith('.ts'),
  )
  const files = names.toSorted().map(async (name) => {
    const text = await readFile(join(folder, 'content', name), 'utf8')
    return placeholdersIn(text).map(({ line, found }) => `"${found}" (content/${name}, line ${line})`)
  })
  const found = (await Promise.all(files)).flat()
  if (found.length === 0) return about.ok(`No placeholder is left in the ${names.length} files of content/.`)
  return (production ? about.wrong : about.look)(
    `Placeholders are left: ${found.join(', ')}.`,
    'Write your own words there, then restart the server: it builds by itself.',
  )
}

/** Two words or more in square brackets, or one that is a whole text. */
const placeholders = /\[\p{Lu}\p{L}*(?:[ '-]\p{L}+)+\]|(?<=['"`])\[\p{Lu}\p{L}*\](?=['"`])/gu

function placeholdersIn(text: string) {
  return text.split('\n').flatMap((code, index) => {
    const isComment = /^\s*(?:\/\/|\/?\*)/.test(code)
    const all = isComment ? [] : (code.match(placeholders) ?? [])
    return all.map((found) => ({ line: index + 1, found }))
  })
}

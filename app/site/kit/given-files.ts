import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { KitPart } from '#content/kit.ts'
import { ContentError } from './content-error.ts'
import { scriptFile, scriptRelease } from './kit-files.ts'

const ownFolder = join(import.meta.dirname, '../../../content/kit')

/** The bytes of the script that is given away: ours, or the owner's own. */
export function givenScriptFile(script: KitPart): Buffer {
  return readOwn(script, '.pine') ?? readFileSync(join(import.meta.dirname, scriptFile))
}

/** Undefined if the guide is made from content/setup-guide.ts. */
export function ownGuide(guide: KitPart): Buffer | undefined {
  return readOwn(guide, '.pdf')
}

/** Undefined if the part is ours. A ContentError tells the owner how to fix a file of theirs. */
export function readOwn(
  { name, isYourOwn }: KitPart,
  ending: '.pine' | '.pdf',
  folder = ownFolder,
): Buffer | undefined {
  const file = `content/kit/${name}`
  const isThere = existsSync(join(folder, name))
  if (!/^[\w-][\w.-]*$/.test(name) || !name.endsWith(ending)) {
    throw new ContentError(
      `content/kit.ts: "${name}" must be made of letters, digits, dots and hyphens, with ${ending} at the end.`,
    )
  }
  if (isThere && !isYourOwn) {
    throw new ContentError(
      `There is a ${file}: for it to be given away, content/kit.ts must say isYourOwn: true.`,
    )
  }
  if (!isYourOwn) return undefined
  if (!isThere) {
    throw new ContentError(`content/kit.ts names a file of your own, but there is no ${file}.`)
  }
  const bytes = readFileSync(join(folder, name))
  if (ending === '.pine') {
    scriptRelease(bytes.toString(), file)
  } else if (!bytes.subarray(0, 1024).includes('%PDF-')) {
    throw new ContentError(`${file} is not a PDF.`)
  }
  return bytes
}

// `npm run defaults -- FILE` writes a page that was taken along into content/, for those who keep
// it in git. It is no command of the owner's: a release has neither the sources nor prettier.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { projectRoot } from '#server/settings/project-files.ts'
import { explainError } from '#owner/acts/command-context.ts'
import { readContentFile } from '#owner/site/content/content-file.ts'
import { writeDefaults } from './write-defaults.ts'

const [path, ...more] = process.argv.slice(2)
if (path === undefined || more.length > 0) {
  console.error('Usage: npm run defaults -- FILE')
  process.exit(2)
}
try {
  const folder = join(projectRoot, 'content')
  const { written, left } = await writeDefaults(
    folder,
    readContentFile(await readFile(path, 'utf8')),
  )
  for (const file of written) console.log(`Wrote content/${file}`)
  for (const kind of left) console.log(`Left out, because content/ has no place for it: ${kind}`)
  console.log('Now run npm run artwork, and look at the differences before you commit them.')
} catch (fault) {
  console.error(explainError(fault))
  process.exit(1)
}

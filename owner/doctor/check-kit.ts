import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { kit as given } from '#content/kit.ts'
import { maxRuleAgeDays, staleRules } from '#kit/bridges/bridge.ts'
import { bridges } from '#kit/bridges/bridges.ts'
import type { KitFile } from '#kit/kit-files.ts'
import { type Check, type Finding, subject } from './finding.ts'
import { readIfExists, readKit } from './read-kit.ts'

const about = subject('content.kit', "The guide must match the script's version.")

const formats = subject(
  'content.bridges',
  'The services change their formats, and visitors trade with the messages that the personal page writes.',
)

export const kitChecks: Check[] = [
  { about, run: ({ folder }) => checkKit(folder) },
  { about: formats, run: ({ now }) => checkBridges(new Date(now()).toISOString().slice(0, 10)) },
]

const build = 'Run npm run build, then restart the server.'

/** Script, guide and personal page must name the same version. */
function checkKit(folder: string): Finding {
  const kit = readKit(folder)
  if (!kit) return about.unknown('The script and the guide are not built yet.', build)
  const versions = new Map<string, string>()
  for (const file of kit) {
    const bytes = readIfExists(join(folder, 'dist/kit', file.name))
    if (!bytes) return about.wrong(`dist/kit/${file.name} is missing.`, build)
    if (createHash('sha256').update(bytes).digest('hex') !== file.sha256)
      return about.wrong(`dist/kit/${file.name} was changed after the build.`, build)
    versions.set(`the personal page of ${file.name}`, file.version)
    const ownersFile = join('content/kit', file.savedAs)
    const owners = readIfExists(join(folder, ownersFile))
    if (owners && !owners.equals(bytes))
      return about.wrong(`${ownersFile} was changed after the build.`, build)
    // A guide of the owner's need not name a version.
    if (owners && file.name.endsWith('.pdf')) continue
    const built = versionIn(file, bytes)
    if (built !== undefined) versions.set(file.name, built)
    const ours = owners ? undefined : readIfExists(join(folder, 'app/kit', file.name))
    const next = ours && versionIn(file, ours)
    if (next !== undefined) versions.set(`app/kit/${file.name}`, next)
  }
  const distinct = [...new Set(versions.values())]
  if (distinct.length === 1) return about.ok(`The kit is version ${distinct[0]} throughout.`)
  const list = [...versions].map(([what, version]) => `${what} says ${version}`).join(', ')
  return about.wrong(`The kit's versions differ: ${list}.`, build)
}

/** With a script of the owner's own the page has no bridges. */
function checkBridges(today: string): Finding[] {
  if (given.script.isYourOwn) return []
  const stale = staleRules(bridges, today)
  if (stale.length === 0)
    return [formats.ok(`The formats of the bridges were read within ${maxRuleAgeDays} days.`)]
  const list = stale.map(({ name, readOn }) => `${name} (${readOn})`).join(', ')
  return [
    formats.look(
      `Not read again for ${maxRuleAgeDays} days: ${list}.`,
      'Read the page that its file in app/kit/bridges/ names, correct the file, and set its readOn to that day.',
    ),
  ]
}

/** From the script's header or the guide's title. */
function versionIn({ name }: KitFile, bytes: Buffer): string | undefined {
  const pattern = name.endsWith('.pdf') ? /, version (\d+\.\d+\.\d+)\b/ : /^\/\/ Version (\d+\.\d+\.\d+)/m
  return pattern.exec(bytes.toString('latin1'))?.[1]
}

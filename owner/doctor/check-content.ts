import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { brand } from '#content/brand.ts'
import { kit as given } from '#content/kit.ts'
import { maxRuleAgeDays, staleRules } from '#kit/bridges/bridge.ts'
import { bridges } from '#kit/bridges/bridges.ts'
import type { KitFile } from '#kit/kit-files.ts'
import { findPlaceholders } from '#server/configuration/placeholders.ts'
import { isRelease, readProjectFile } from '#server/configuration/project-files.ts'
import type { CheckContext, Checks, Outcome, Subject } from './finding.ts'

type Legal = typeof brand & { privacyUrl?: string; imprintUrl?: string }

export const contentChecks: Checks = {
  'content.placeholders': ({ folder, config }, about) => {
    const found = findPlaceholders(folder)
    if (found.length === 0) return about.ok('No placeholder is left in the files of content/.')
    const list = found.map(({ text, place }) => `"${text}" (${place})`).join(', ')
    return (config.production ? about.wrong : about.look)(
      `Placeholders are left: ${list}.`,
      `Write your own words there${thenBuild}`,
    )
  },

  'content.legal-pages': ({ config }, { ok, look }) => {
    const { privacyUrl, imprintUrl, postalAddress }: Legal = brand
    const texts = Object.entries({ privacyUrl, imprintUrl, postalAddress })
    const missing = texts.flatMap(([name, url]) => (url ? [] : [name]))
    if (missing.length === 0) return ok('Page and mail link your privacy notice and imprint.')
    const what = `content/brand.ts has no ${missing.join(' and no ')}`
    if (!config.production) return ok(`${what} (development).`)
    return look(`${what}.`, `Write yours there${thenBuild}`)
  },

  'content.kit': checkKit,

  'content.bridges': ({ now }, { ok, look }) => {
    // With a script of the owner's own the page has no bridges.
    if (given.script.isYourOwn) return []
    const stale = staleRules(bridges, new Date(now()).toISOString().slice(0, 10))
    if (stale.length === 0) return ok(`The formats of the bridges were read within ${maxRuleAgeDays} days.`)
    const list = stale.map(({ name, readOn }) => `${name} (${readOn})`).join(', ')
    return look(
      `Not read again for ${maxRuleAgeDays} days: ${list}.`,
      'Read the page that its entry in app/kit/bridges/bridges.ts names, correct the entry, and set its readOn to that day.',
    )
  },
}

const thenBuild = isRelease ? ' in the project, then package it again.' : ', then restart the server.'
const build = 'Run npm run build, then restart the server.'

/** Script, guide and personal page must name the same version. */
function checkKit({ folder }: CheckContext, about: Subject): Outcome {
  const kit = readKit(folder)
  if (!kit) return about.unknown('The script and the guide are not built yet.', build)
  const versions = new Map<string, string>()
  for (const file of kit) {
    const bytes = readIfExists(join(folder, 'dist/kit', file.name))
    if (!bytes) return about.wrong(`dist/kit/${file.name} is missing.`, build)
    if (createHash('sha256').update(bytes).digest('hex') !== file.sha256)
      return about.wrong(`dist/kit/${file.name} was changed after the build.`, build)
    versions.set(`the personal page of ${file.name}`, file.version)
    const owners = join('content/kit', file.savedAs)
    const isOwners = readIfExists(join(folder, owners)) !== undefined
    const source = isOwners ? owners : join('app/kit', file.name) // our guide has none
    if (readIfExists(join(folder, source))?.equals(bytes) === false)
      return about.wrong(`${source} was changed after the build.`, build)
    const version = versionIn(file, bytes)
    // A guide of the owner's need not name a version.
    if (version !== undefined && !(isOwners && file.name.endsWith('.pdf'))) versions.set(file.name, version)
  }
  const distinct = [...new Set(versions.values())]
  if (distinct.length === 1) return about.ok(`The kit is version ${distinct[0]} throughout.`)
  const list = [...versions].map(([what, version]) => `${what} says ${version}`).join(', ')
  return about.wrong(`The kit's versions differ: ${list}.`, build)
}

/** From the script's header or the guide's title. */
function versionIn({ name }: KitFile, bytes: Buffer): string | undefined {
  const pattern = name.endsWith('.pdf') ? /, version (\d+\.\d+\.\d+)\b/ : /^\/\/ Version (\d+\.\d+\.\d+)/m
  return pattern.exec(bytes.toString('latin1'))?.[1]
}

/** The build's list of the kit's files. Undefined: nothing is built. */
export function readKit(folder: string): KitFile[] | undefined {
  const list = readIfExists(join(folder, 'dist/kit/kit.json'))
  return list && JSON.parse(list.toString())
}

function readIfExists(path: string): Buffer | undefined {
  try {
    return readProjectFile(path)
  } catch (fault) {
    return onlyMissing(fault as NodeJS.ErrnoException) // what reading a file throws
  }
}

export function onlyMissing(fault: NodeJS.ErrnoException): undefined {
  if (fault.code !== 'ENOENT') throw fault
}

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isRelease, projectRoot } from './project-files.ts'

/** Two words or more in square brackets, or one that is a whole text. */
const pattern = /\[\p{Lu}\p{L}*(?:[ '-]\p{L}+)+\]|(?<=['"`])\[\p{Lu}\p{L}*\](?=['"`])/gu
const comment = /^\s*(?:\/\/|\/?\*)/

/** A release has no `content/`, so the packager records the placeholders that were in it. */
export const placeholderList = 'placeholders.json'

/**
 * `[Creator name]` and the like that the owner has not replaced, in every file of `content/` below
 * `root`.
 */
export function findPlaceholders(root: string): ReturnType<typeof placeholdersIn> {
  if (isRelease) return JSON.parse(readFileSync(join(projectRoot, placeholderList), 'utf8'))
  const files = readdirSync(join(root, 'content'), { recursive: true, encoding: 'utf8' })
  return files
    .filter((path) => path.endsWith('.ts'))
    .map((path) => `content/${path.replaceAll('\\', '/')}`)
    .toSorted()
    .flatMap((path) => placeholdersIn(path, readFileSync(join(root, path), 'utf8')))
}

/** `place`: such as `content/brand.ts, line 11`. */
function placeholdersIn(path: string, source: string) {
  return source.split('\n').flatMap((line, index) => {
    const found = comment.test(line) ? [] : (line.match(pattern) ?? [])
    return found.map((text) => ({ text, place: `${path}, line ${index + 1}` }))
  })
}

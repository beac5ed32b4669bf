import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { putTogether, type SiteBundle } from '#site/bundle.ts'

/** The site of the defaults, which is served until another one is published. */
export function readBuiltSite(dist: string): Promise<SiteBundle> {
  const folder = join(dist, 'site')
  const text = readFileSync(join(folder, 'bundle.json'), 'utf8')
  return putTogether(text, (name) => readFile(join(folder, name)))
}

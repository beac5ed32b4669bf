import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { findPlaceholders, placeholderList } from '#server/configuration/placeholders.ts'
import type { Files } from '../write-files.ts'
import { bundleServer } from './bundle-for-node.ts'

/** Every file that a release reads, by its path below the release's root: app/server/configuration/project-files.ts reads them. */
export async function releaseFiles(root: string, asOneFile: boolean): Promise<Files> {
  const bundle = await bundleServer(root, asOneFile)
  const server = Object.entries(bundle).map(([name, contents]) => [`server/${name}`, contents])
  const read = [...filesBelow(root, 'dist'), ...filesBelow(root, 'app/server/database/migrations')]
    .filter((path) => !path.startsWith('dist/packages/') && path !== 'dist/.inputs') // bundled; of the build
    .map((path) => [path, readFileSync(join(root, path))])
  const placeholders = JSON.stringify(findPlaceholders(root))
  return Object.fromEntries([...server, ...read, [placeholderList, placeholders]])
}

function filesBelow(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
}

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import type { Entry } from '../client-rendered/bundle.ts'
import { installPackage } from '../../install-package.ts'

const source = join(import.meta.dirname, 'package')
const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(
  readFileSync(join(source, 'package.json'), 'utf8'),
)

/** Each package with its version, for the record. */
export const usualPackages = Object.entries(dependencies).map((parts) => parts.join(' '))

/** The usual client-rendered site, see main.tsx; or why it cannot be built here. */
export function usualEntry(progress: (line: string) => void): Entry | { why: string } {
  const installed = installPackage('starter-bot-usual-build', source, progress)
  if ('why' in installed) return installed
  return {
    input: join(import.meta.dirname, 'main.tsx'),
    plugins: [fromItsOwnPackage(installed.folder)],
    // Ours imports them as well: twice the same would be unfair.
    dedupe: ['react', 'react-dom', '@supabase/functions-js'],
  }
}

/** Its packages are not among the project's, where its files stand. */
function fromItsOwnPackage(folder: string): Plugin {
  const importer = join(folder, 'package.json')
  const names = Object.keys(dependencies)
  return {
    name: 'from-its-own-package',
    enforce: 'pre',
    resolveId(path) {
      if (!names.some((name) => path === name || path.startsWith(`${name}/`))) return undefined
      return this.resolve(path, importer, { skipSelf: true })
    },
  }
}

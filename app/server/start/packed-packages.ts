import { readdirSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join, parse } from 'node:path'
import { pathToFileURL } from 'node:url'

/** From now on an import of a package that the build packed into `folder` resolves to that one file. */
export function usePackedPackages(folder: string): void {
  const packed = new Map(
    readdirSync(folder).map((file) => [parse(file).name, pathToFileURL(join(folder, file)).href]),
  )
  registerHooks({
    resolve(name, context, next) {
      const url = packed.get(name)
      return url ? { url, format: 'commonjs', shortCircuit: true } : next(name, context)
    },
  })
}

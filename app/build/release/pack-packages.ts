import { build } from 'vite'
import type { Files } from '../write-files.ts'

const packages = ['kysely', 'nodemailer']

/**
 * Writes each package that the server needs at every start as one file instead of hundreds (docs/decisions/0010).
 * CommonJS, because an `import` of node:http, which nodemailer has, loads all of Node's fetch.
 */
export async function packPackages(root: string): Promise<Files> {
  const result = await build({
    root,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    ssr: { noExternal: true },
    build: {
      ssr: true,
      write: false,
      minify: false, // stack traces show its names
      rolldownOptions: {
        input: Object.fromEntries(packages.map((name) => [name, name])),
        output: { format: 'cjs', exports: 'named', entryFileNames: '[name].cjs' },
      },
    },
  })
  if (Array.isArray(result) || !('output' in result)) throw new Error('One bundle was expected')
  return Object.fromEntries(
    result.output.map((file) => [file.fileName, file.type === 'chunk' ? file.code : file.source]),
  )
}

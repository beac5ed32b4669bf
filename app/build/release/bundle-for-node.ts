import { basename, join } from 'node:path'
import type { BuildEnvironmentOptions } from 'vite'
import { bundleInMemory, contentsOf } from '../bundle-in-memory.ts'
import type { Files } from '../write-files.ts'

/** Run by startThread of app/server/configuration/project-files.ts, which knows them by their file's name. */
const threads = [
  'app/server/database/sqlite-jobs.ts',
  'owner/doctor/database/integrity-thread.ts',
  'owner/desk/routes/check-up-thread.ts',
]

/**
 * Bundles the server, the owner's command line and their packages, with the packages' licences. `start.mjs` is the program.
 * `asOneFile`: for the executable, which can load no second one.
 */
export async function bundleServer(root: string, asOneFile: boolean): Promise<Files> {
  const program = await bundleProgram(root, 'start.ts', 'es', asOneFile)
  const bundledThreads = await Promise.all(threads.map((source) => bundleProgram(root, source, 'cjs', true)))
  // Without /proc an executable does not know its path: import.meta.url is what was typed, and that may be relative.
  if (asOneFile)
    program['start.mjs'] = String(program['start.mjs']).replace(
      'createRequire(import.meta.url)',
      'createRequire("/")',
    )
  return Object.assign(program, ...bundledThreads)
}

function bundleProgram(root: string, source: string, format: 'es' | 'cjs', asOneFile: boolean) {
  const ending = format === 'es' ? 'mjs' : 'cjs'
  return bundle(root, {
    license: format === 'es' ? { fileName: 'licences.md' } : false,
    rolldownOptions: {
      external: /build\.ts$/, // a release is never built again
      input: { [basename(source, '.ts')]: join(root, source) },
      output: {
        format,
        entryFileNames: `[name].${ending}`,
        chunkFileNames: `[name]-[hash].${ending}`,
        codeSplitting: !asOneFile,
      },
    },
  })
}

const packages = ['kysely', 'nodemailer']

/**
 * Writes each package that the server needs at every start as one file instead of hundreds (docs/decisions/0010).
 * CommonJS, because an `import` of node:http, which nodemailer has, loads all of Node's fetch.
 */
export function packPackages(root: string): Promise<Files> {
  return bundle(root, {
    rolldownOptions: {
      input: Object.fromEntries(packages.map((name) => [name, name])),
      output: { format: 'cjs', exports: 'named', entryFileNames: '[name].cjs', comments: { jsdoc: false } },
    },
  })
}

async function bundle(root: string, options: BuildEnvironmentOptions): Promise<Files> {
  const output = await bundleInMemory({
    root,
    configFile: false,
    publicDir: false,
    // Only the entry of the bundle is run, so the modules in it are never the main one.
    define: { 'import.meta.main': 'false' },
    ssr: { noExternal: true, external: ['pg-native'] },
    build: {
      ssr: true,
      minify: false, // stack traces show its names
      target: 'node26',
      ...options,
    },
  })
  return Object.fromEntries(output.map((file) => [file.fileName, contentsOf(file)]))
}

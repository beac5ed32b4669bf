import { join } from 'node:path'
import { bundleInMemory } from './in-memory.ts'
import type { Files } from '../write-files.ts'

/** They are for options that nothing here sets: their text would be parsed at each start. */
const neverLoaded = [
  'pg-native',
  '@fastify/ajv-compiler',
  '@fastify/fast-json-stringify-compiler',
  'light-my-request',
]

/**
 * Bundles the server, the owner's commands and their packages as `server.mjs`, with the packages'
 * licences beside it. Code that a start does not need is in chunks of its own, because its text
 * would stay in memory: 20 MB.
 */
export async function bundleServer(root: string): Promise<Files> {
  const output = await bundleInMemory({
    root,
    configFile: false,
    define: {
      // React for development takes twice as long, and its text would be in the bundle as well.
      'process.env.NODE_ENV': '"production"',
    },
    ssr: { noExternal: true, external: neverLoaded },
    build: {
      ssr: true,
      minify: false, // stack traces show its names
      target: 'node24',
      license: { fileName: 'licences.md' },
      rolldownOptions: {
        input: join(root, 'server.ts'),
        output: {
          entryFileNames: '[name].mjs',
          chunkFileNames: '[name]-[hash].mjs',
          comments: false,
        },
      },
    },
  })
  const files: Files = {}
  for (const file of output) {
    files[file.fileName] = file.type === 'chunk' ? escapeWide(file.code) : file.source
  }
  return files
}

/**
 * Escapes all that is not ASCII: a single character outside Latin-1 doubles the memory that the
 * text of its file takes.
 */
function escapeWide(code: string): string {
  return code.replaceAll(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

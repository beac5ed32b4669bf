import { join } from 'node:path'
import { bundleInMemory, contentsOf } from './in-memory.ts'
import type { Files } from '../write-files.ts'

/**
 * Bundles the server, the owner's commands and their packages as `server.mjs`, with the packages'
 * licences beside it. What a start does not need is in chunks of its own: its text would stay in
 * memory, 20 MB.
 */
export async function bundleServer(root: string): Promise<Files> {
  const output = await bundleInMemory({
    root,
    configFile: false,
    define: { 'import.meta.main': 'false' }, // the main module is server.ts
    ssr: { noExternal: true, external: ['pg-native'] },
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
  return Object.fromEntries(output.map((file) => [file.fileName, contentsOf(file)]))
}

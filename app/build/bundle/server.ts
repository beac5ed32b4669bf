import { join } from 'node:path'
import { bundleInMemory, contentsOf } from './in-memory.ts'
import type { Files } from '../write-files.ts'

/** Bundles the server, the owner's commands and their packages as `server.mjs`, and writes the packages' licences beside it. */
export async function bundleServer(root: string): Promise<Files> {
  const output = await bundleInMemory({
    root,
    configFile: false,
    define: { 'import.meta.main': 'false' }, // the main module is server.ts
    ssr: { noExternal: true, external: ['pg-native'] },
    build: {
      ssr: true,
      minify: false, // stack traces show its names
      target: 'node26',
      license: { fileName: 'server-licences.md' },
      rolldownOptions: {
        input: join(root, 'server.ts'),
        output: { entryFileNames: '[name].mjs', codeSplitting: false },
      },
    },
  })
  return Object.fromEntries(output.map((file) => [file.fileName, contentsOf(file)]))
}

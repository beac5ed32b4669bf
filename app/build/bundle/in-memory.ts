import { build, type InlineConfig, type Rolldown } from 'vite'

export const viteSettings = {
  // The owner's .env holds passwords, and a NODE_ENV that Vite warns of.
  envDir: false,
  // In a folder with # in its path the build goes through a link: build-if-stale.ts.
  resolve: { preserveSymlinks: true },
  configLoader: 'native', // Vite's own resolves the link
} as const

/** Makes one bundle and writes no file. */
export async function bundleInMemory({ build: options, ...config }: InlineConfig) {
  const checks = { bundlerTimings: false } // on a slow machine it prints where the time went
  const result = await build({
    logLevel: 'warn',
    ...viteSettings,
    ...config,
    build: { ...options, write: false, rolldownOptions: { ...options?.rolldownOptions, checks } },
  })
  if (Array.isArray(result) || !('output' in result)) throw new Error('One bundle was expected')
  return result.output
}

export function contentsOf(file: Rolldown.OutputChunk | Rolldown.OutputAsset): string | Uint8Array {
  return file.type === 'chunk' ? file.code : file.source
}

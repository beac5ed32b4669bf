import { build, type InlineConfig, type Rolldown } from 'vite'

/**
 * Keeps Vite from reading the owner's .env, which holds passwords and a NODE_ENV that Vite warns
 * of.
 */
export const withoutEnvFile = { envDir: false } as const

/** Makes one bundle and writes no file. */
export async function bundleInMemory(config: InlineConfig) {
  const options = { ...config.build, write: false }
  const result = await build({ logLevel: 'warn', ...withoutEnvFile, ...config, build: options })
  if (Array.isArray(result) || !('output' in result)) throw new Error('One bundle was expected')
  return result.output
}

export function contentsOf(file: Rolldown.OutputChunk | Rolldown.OutputAsset): string | Uint8Array {
  return file.type === 'chunk' ? file.code : file.source
}

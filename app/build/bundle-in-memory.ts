import { build, type InlineConfig, type Rolldown } from 'vite'

/** Makes one bundle and writes no file. */
export async function bundleInMemory(config: InlineConfig) {
  const result = await build({ logLevel: 'warn', ...config, build: { ...config.build, write: false } })
  if (Array.isArray(result) || !('output' in result)) throw new Error('One bundle was expected')
  return result.output
}

export function contentsOf(file: Rolldown.OutputChunk | Rolldown.OutputAsset): string | Uint8Array {
  return file.type === 'chunk' ? file.code : file.source
}

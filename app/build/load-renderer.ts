import { join } from 'node:path'
import { runnerImport } from 'vite'
import { withoutEnvFile } from './bundle/in-memory.ts'

/** The renderer. Node runs no .tsx, so Vite imports it. */
export async function loadRenderer(
  root: string,
): Promise<typeof import('#renderer/render-site.tsx')> {
  const config = { root, logLevel: 'warn', ...withoutEnvFile } as const
  const path = join(root, 'app/renderer/render-site.tsx')
  return (await runnerImport<typeof import('#renderer/render-site.tsx')>(path, config)).module
}

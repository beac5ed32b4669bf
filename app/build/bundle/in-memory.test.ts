import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { temporaryFolder } from '#rigs/temporary-folder.ts'
import { bundleInMemory } from './in-memory.ts'

test("Vite does not read the owner's .env", async () => {
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv('NODE_ENV', undefined)
  vi.stubEnv('VITE_USER_NODE_ENV', undefined) // Vite sets it to the NODE_ENV of the file
  const root = temporaryFolder()
  writeFileSync(join(root, '.env'), 'NODE_ENV=production\n')
  writeFileSync(join(root, 'main.js'), 'console.log(1)\n')
  await bundleInMemory({ root, build: { rolldownOptions: { input: join(root, 'main.js') } } })
  expect(process.env['VITE_USER_NODE_ENV']).toBeUndefined()
})

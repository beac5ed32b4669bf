import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { kitFiles, type KitFile } from '#starter-kit/kit-files.ts'
import { makeSetupGuide } from '#starter-kit/setup-guide.ts'

export interface Kit {
  list: KitFile[]
  contents: Record<string, Buffer>
}

/** The two files we give away, and the list of them that the pages and the server show. */
export async function makeKit(root: string): Promise<Kit> {
  const [script, guide] = await Promise.all([
    readFile(join(root, 'starter-kit/ema-crossover.pine')),
    makeSetupGuide(),
  ])
  const contents = { 'ema-crossover.pine': script, 'setup-guide.pdf': guide }
  return { list: kitFiles(contents), contents }
}

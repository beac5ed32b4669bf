import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type ProductPlace, root } from '#rigs/product.ts'

/** The owner's real command line, in a process of its own. What it printed; throws where it ends with another code than 0. */
export async function runOwner({ databaseFile }: ProductPlace, ...words: string[]): Promise<string> {
  const { PATH, HOME, TMPDIR } = process.env
  const { stdout } = await promisify(execFile)(process.execPath, ['owner/command-line/main.ts', ...words], {
    cwd: root,
    env: {
      PATH,
      HOME,
      TMPDIR,
      DATABASE_URL: `file:${databaseFile}`,
    },
  })
  return stdout
}

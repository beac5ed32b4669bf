import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type ProductPlace, root } from '#rigs/product.ts'

/** Runs the owner's real command line as a child process. Returns its output; throws if the exit code is not 0. */
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

import { closeSync, openSync, renameSync } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'

const ownerOnly = 0o600

/**
 * Creates an empty file that no other account can read even for a moment. Fails if there is one.
 */
export function createFile(path: string): void {
  closeSync(openSync(path, 'wx', ownerOnly))
}

/** Gives a file its name. Fails if there is one of that name. */
export function nameFile(unfinished: string, path: string): void {
  createFile(path) // a rename alone would replace a file
  renameSync(unfinished, path)
}

/** Writes a file that has its name once it is whole, and never replaces another. */
export async function writeNewFile(
  path: string,
  write: (unfinished: FileHandle) => Promise<void>,
): Promise<void> {
  const unfinished = `${path}.unfinished`
  // Of a command that was killed. (In Node 24.0, rmSync leaves a link that leads nowhere.)
  await rm(unfinished, { force: true })
  try {
    {
      await using file = await open(unfinished, 'wx', ownerOnly)
      await write(file)
      await file.sync()
    }
    nameFile(unfinished, path)
  } finally {
    await rm(unfinished, { force: true })
  }
}

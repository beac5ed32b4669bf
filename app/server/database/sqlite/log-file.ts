import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Unavailable } from '../database.ts'

/** SQLite's log, which holds what is committed and not yet copied into the database's file. */
export class LogFile {
  readonly #path: string
  #handle: FileHandle | undefined

  /** `database`: the path of its file. */
  constructor(database: string) {
    this.#path = `${database}-wal`
  }

  /**
   * Resolves once all that is committed is on the disk. A thread of Node's pool waits for the disk,
   * so that a slow one holds up no page. Throws `Unavailable` if the disk has failed: what of the
   * log is on it is then unknown.
   */
  async sync(): Promise<void> {
    try {
      this.#handle ??= await openWithItsName(this.#path)
      await this.#handle.datasync()
    } catch (cause) {
      throw new Unavailable("The database's log cannot be brought to the disk now", { cause })
    }
  }

  async close(): Promise<void> {
    await this.#handle?.close()
  }
}

/** A new file survives a power cut only if its folder, which holds its name, is synced as well. */
async function openWithItsName(path: string): Promise<FileHandle> {
  if (process.platform !== 'win32') {
    await using folder = await open(dirname(path)) // Windows opens no folder
    await folder.sync()
  }
  return open(path, 'r+')
}

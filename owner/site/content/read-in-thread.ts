import { once } from 'node:events'
import { startThread } from '#server/project-files.ts'
import type { Publication } from '#server/site/publish.ts'
import { CommandError } from '#owner/acts/errors.ts'
import type { ReadContent } from './content-thread.ts'

/**
 * Reads the file of an export while visitors are served. Throws a CommandError for another file.
 */
export async function readInThread(bytes: Uint8Array): Promise<Omit<Publication, 'about'>> {
  const thread = startThread('owner/site/content/content-thread.ts', bytes)
  const [read] = (await once(thread, 'message')) as [ReadContent] // as it sends it
  if (read.kind === 'refused') throw new CommandError(read.message)
  return read.publication
}

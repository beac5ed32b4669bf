import { parentPort, workerData } from 'node:worker_threads'
import type { Publication } from '#server/site/publish.ts'
import { CommandError } from '#owner/acts/errors.ts'
import { readContentFile } from './content-file.ts'

export type ReadContent =
  | { readonly kind: 'read'; readonly publication: Omit<Publication, 'about'> }
  /** `message`: a sentence for the owner. */
  | { readonly kind: 'refused'; readonly message: string }

// Parsing a file of 20 MB takes longer than a visitor should wait.
parentPort?.postMessage(read(workerData as Uint8Array)) // as readInThread gives it

function read(bytes: Uint8Array): ReadContent {
  try {
    return { kind: 'read', publication: readContentFile(new TextDecoder().decode(bytes)) }
  } catch (fault) {
    if (!(fault instanceof CommandError)) throw fault
    return { kind: 'refused', message: fault.message }
  }
}

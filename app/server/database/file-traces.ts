import { existsSync } from 'node:fs'
import { open } from 'node:fs/promises'

const pieceBytes = 1024 * 1024

/** Whether one of the texts stands anywhere in the file, also where its format has no use for the bytes. */
export async function holdsTrace(path: string, traces: readonly string[]): Promise<boolean> {
  if (!existsSync(path)) return false
  const wanted = traces.map((trace) => Buffer.from(trace))
  const overlap = Math.max(0, ...wanted.map(({ length }) => length - 1))
  const piece = Buffer.alloc(overlap + pieceBytes)
  const file = await open(path)
  try {
    for (let kept = 0; ;) {
      const { bytesRead } = await file.read(piece, kept, piece.length - kept)
      const filled = piece.subarray(0, kept + bytesRead)
      if (wanted.some((trace) => filled.includes(trace))) return true
      if (bytesRead === 0) return false
      // What may be the beginning of a trace is looked at again with the next piece.
      kept = Math.min(overlap, filled.length)
      filled.copy(piece, 0, filled.length - kept)
    }
  } finally {
    await file.close()
  }
}

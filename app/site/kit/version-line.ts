import { ContentError } from './content-error.ts'
import { scriptRelease } from './kit-files.ts'

/** Returns undefined if the script has no version line. */
export function versionLine(bytes: Uint8Array): { version: string; date: string } | undefined {
  try {
    return scriptRelease(new TextDecoder().decode(bytes))
  } catch (fault) {
    if (fault instanceof ContentError) return undefined
    throw fault
  }
}

/** The script with the line that tells its version, below the line that tells Pine's. */
export function withVersionLine(
  bytes: Uint8Array,
  { version, date }: { version: string; date: string },
): Uint8Array {
  const text = new TextDecoder().decode(bytes)
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n'
  const line = `// Version ${version}, ${date}${lineEnd}`
  const [pine = ''] = /^(?:\uFEFF)?\/\/@version=.*\r?\n/.exec(text) ?? []
  return new TextEncoder().encode(pine + line + text.slice(pine.length))
}

import { join } from 'node:path'
import type { CommandContext } from '#owner/acts/command-context.ts'
import { runOwnerCommand } from '#owner/start/run-owner-command.ts'

export const ownerNow = Date.UTC(2026, 0, 2, 3, 4, 5)

const refuse = () => Promise.reject(new Error('A test asks no real DNS'))
const noDns = { resolveTxt: refuse, resolve4: refuse, resolve6: refuse, resolveNs: refuse }

/** Runs one command as a terminal would, on the database that `url` names. */
export function ownerOf(
  url: string,
  more: Record<string, string> = {},
  outside: Partial<CommandContext> = {},
) {
  return async (...words: string[]) => {
    let printed = ''
    let aside = ''
    const code = await runOwnerCommand(words, {
      environment: { DATABASE_URL: url, ...more },
      folder: join(import.meta.dirname, '../../..'),
      now: () => ownerNow,
      dns: noDns,
      write: async (text) => void (printed += text),
      writeError: (text) => void (aside += text),
      ...outside,
    })
    return { code, printed, aside }
  }
}

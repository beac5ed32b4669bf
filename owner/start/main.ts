import { once } from 'node:events'
import type { TextOptions } from '@clack/prompts'
import { projectRoot } from '#server/project-files.ts'
import { explainError } from '#owner/acts/command-context.ts'
import { runOwnerCommand } from './run-owner-command.ts'

/** Runs one owner command and exits with its code. */
export async function main(words: readonly string[]): Promise<void> {
  process.umask(0o077) // only the owner's account can read what a command writes

  // `… | head` closes the pipe early, which is not an error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    process.stderr.write(`${explainError(error)}\n`)
    process.exit(1)
  })

  const code = await runOwnerCommand(words, {
    environment: process.env,
    folder: projectRoot,
    now: Date.now,
    ask: process.stdin.isTTY && process.stdout.isTTY ? ask : undefined,
    async write(text) {
      if (!process.stdout.write(text)) await once(process.stdout, 'drain')
    },
    writeError: (text) => void process.stderr.write(text),
  })
  // A check of the doctor that timed out may still hold a connection open. Exiting does not wait
  // for it.
  process.stdout.write('', () => process.exit(code))
}

async function ask(prompt: TextOptions): Promise<string | undefined> {
  const { isCancel, text } = await import('@clack/prompts') // most commands ask nothing
  const answer = await text(prompt)
  return isCancel(answer) ? undefined : answer
}

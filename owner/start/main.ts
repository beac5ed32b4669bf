import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { projectRoot } from '#server/project-files.ts'
import { explainError } from '#owner/acts/errors.ts'
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

/** Undefined after Ctrl C or Ctrl D, and if the terminal is closed. */
async function ask(question: string): Promise<string | undefined> {
  const terminal = createInterface(process.stdin, process.stdout)
  terminal.on('error', () => {}) // a terminal that is closed cannot leave its raw mode
  const close = () => terminal.close()
  process.on('SIGHUP', close)
  const answer = await new Promise<string | undefined>((resolve) => {
    terminal.once('close', () => resolve(undefined))
    terminal.question(`${question} `, resolve)
  })
  process.off('SIGHUP', close)
  close()
  return answer
}

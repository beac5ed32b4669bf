import { once } from 'node:events'
import { runOwnerCommand } from './run-owner-command.ts'

// `… | head` closes the pipe early; that is no fault.
process.stdout.on('error', (fault: NodeJS.ErrnoException) => process.exit(fault.code === 'EPIPE' ? 0 : 1))

process.exitCode = await runOwnerCommand(process.argv.slice(2), {
  environment: process.env,
  now: Date.now,
  isTerminal: process.stderr.isTTY,
  async write(text) {
    if (!process.stdout.write(text)) await once(process.stdout, 'drain')
  },
  writeAside: (text) => void process.stderr.write(text),
})

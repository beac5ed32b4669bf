import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import { join } from 'node:path'
import { explainFault } from './explain-fault.ts'
import { runOwnerCommand } from './run-owner-command.ts'

process.umask(0o077) // what a command writes is for this account alone

// `… | head` closes the pipe early; that is no fault.
process.stdout.on('error', (fault: NodeJS.ErrnoException) => {
  if (fault.code === 'EPIPE') process.exit(0)
  process.stderr.write(`${explainFault(fault)}\n`)
  process.exit(1)
})

const dns = new Resolver({ timeout: 3_000, tries: 2 })

const code = await runOwnerCommand(process.argv.slice(2), {
  environment: process.env,
  folder: join(import.meta.dirname, '../..'),
  now: Date.now,
  resolveTxt: (name) => dns.resolveTxt(name),
  isTerminal: process.stderr.isTTY,
  hasColours: process.stdout.isTTY && process.stdout.hasColors(),
  async write(text) {
    if (!process.stdout.write(text)) await once(process.stdout, 'drain')
  },
  writeAside: (text) => void process.stderr.write(text),
})
// What the doctor gave up waiting for may hold a connection open: nobody waits for that either.
process.stdout.write('', () => process.exit(code))

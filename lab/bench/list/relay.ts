// A mail server that takes every mail and keeps none. Run as a program it serves.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { startChild } from '../bench.ts'

export function startRelay() {
  return startChild(import.meta.filename, {})
}

if (process.argv[1] === import.meta.filename) {
  const relay = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    disableReverseLookup: true,
    logger: false,
    onData(stream, _session, done) {
      stream.on('end', () => done())
      stream.resume()
    },
  })
  relay.on('error', () => {}) // a client may hang up at any time
  const server = relay.listen(0, '127.0.0.1')
  if (!server.listening) await once(server, 'listening')
  process.once('disconnect', () => process.exit())
  process.send?.((server.address() as AddressInfo).port) // a string only for a pipe
}

import { once } from 'node:events'
import { connect } from 'node:net'
import type { Config } from '../settings/config.ts'

/**
 * Rejects as `listen` would if a program listens there already. The server listens last, so this
 * turns a second one away before it opens the database or claims mail. A trial `listen` instead
 * would make others believe for a moment that the server is ready.
 */
export async function checkPort({ host, port }: Pick<Config, 'host' | 'port'>): Promise<void> {
  const socket = connect(port, host)
  const isTaken = await once(socket, 'connect').then(
    () => true,
    () => false,
  )
  socket.destroy()
  if (isTaken) throw Object.assign(new Error('The port is taken'), { code: 'EADDRINUSE' })
}

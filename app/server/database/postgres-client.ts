import { callbackify } from 'node:util'
import type { Client, ClientConfig } from 'pg'
import { serverUrls } from '../configuration/database-url.ts'
import { Unavailable } from './database.ts'

type ConnectCallback = ((fault: Error) => void) | ((fault: null, client: Client) => void)

/**
 * The driver's client for a URL of several servers, of which the driver knows only one. Each connection goes to the server
 * that took the last one; if it is away or a standby, the connection fails and the next one tries the next server.
 *
 * A connection that breaks is replaced at the next query. Without a listener it would end the process when it breaks where
 * the pool does not listen: before the pool gets it, or between two statements of a transaction.
 */
export function clientFor(url: string, PgClient: typeof Client): typeof Client {
  const servers = serverUrls(url)
  let current = 0

  return class extends PgClient {
    readonly #server = current

    constructor(config: ClientConfig) {
      super({ ...config, connectionString: servers[current] })
      this.on('error', () => {})
    }

    override connect(): Promise<Client>
    override connect(callback: ConnectCallback): void
    override connect(callback?: ConnectCallback): Promise<Client> | void {
      if (!callback) return this.#connectForWriting()
      const done = callback as (fault: Error | null, client: Client) => void // two types of one function
      callbackify(() => this.#connectForWriting())(done)
    }

    async #connectForWriting(): Promise<Client> {
      try {
        await super.connect()
        if (servers.length > 1) await this.#refuseStandby()
        return this
      } catch (fault) {
        if (this.#server === current) current = (current + 1) % servers.length
        throw fault
      }
    }

    async #refuseStandby(): Promise<void> {
      const { rows } = await this.query<{ transaction_read_only: string }>('show transaction_read_only')
      if (rows[0]?.transaction_read_only === 'off') return
      await this.end()
      throw new Unavailable('the server is a standby')
    }
  }
}

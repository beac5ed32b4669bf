import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { listenHere } from '#rigs/listening.ts'
import { openPostgres } from './postgres.ts'

// PostgreSQL's messages "authenticated" and "ready for a query".
const welcome = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49])

test('a connection that breaks while the server is asked if it is a standby does not end the process', async () => {
  const port = await listenHere(
    createServer((socket) => {
      socket.once('data', () => {
        socket.write(welcome)
        socket.once('data', () => socket.resetAndDestroy())
      })
    }),
  )
  const database = await openPostgres(`postgres://u@127.0.0.1:${port},127.0.0.1:${port}/site`)
  onTestFinished(() => database.close())
  const asked = database.query.selectFrom('subscribers').selectAll().execute()
  await expect(asked).rejects.toThrow('ECONNRESET')
})

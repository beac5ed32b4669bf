import { expect, test } from 'vitest'
import { rememberingMailer, startInstance } from '#rigs/server/start-instance.ts'
import { makeTemporaryDatabase } from '#rigs/database/temporary-database.ts'
import type { Extension } from './extension.ts'

test('an extension answers its own paths by any method, is maintained, and is stopped with the server', async () => {
  const called: string[] = []
  const extension: Extension = ({ config }) => ({
    async answer({ method }, path) {
      if (!path.startsWith('/desk')) return undefined
      return { status: 200, headers: {}, body: `${method} ${path} of ${config.publicUrl}` }
    },
    maintain: async () => void called.push('maintain'),
    stop: async () => void called.push('stop'),
  })
  const { url: database, remove } = await makeTemporaryDatabase()
  const server = await startInstance(
    database,
    rememberingMailer(),
    {},
    { extensions: [() => undefined, extension] },
  )
  const ask = async (path: string, method: string) => {
    const answer = await fetch(server.url + path, { method })
    return [answer.status, await answer.text()]
  }
  expect(await ask('/desk', 'GET')).toEqual([200, 'GET /desk of http://localhost:3000'])
  expect(await ask('/desk/api/people', 'POST')).toEqual([
    200,
    'POST /desk/api/people of http://localhost:3000',
  ])
  expect(await ask('/', 'GET')).toEqual([200, 'landing'])
  expect(await ask('/other', 'GET')).toEqual([200, 'not found'])
  await server.stop()
  expect(called).toEqual(['maintain', 'stop'])
  await remove()
})

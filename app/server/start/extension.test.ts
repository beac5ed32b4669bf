import { expect, test } from 'vitest'
import { testApp } from '#rigs/server/test-app.ts'
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
  const server = await testApp({ parts: { extensions: [() => undefined, extension] } })
  const ask = async (path: string, method: string) => {
    const answer = await fetch(server.url + path, { method })
    return [answer.status, await answer.text()]
  }
  expect(await ask('/desk', 'GET')).toEqual([200, 'GET /desk of https://bot.example'])
  expect(await ask('/desk/api/people', 'POST')).toEqual([200, 'POST /desk/api/people of https://bot.example'])
  expect(await ask('/', 'GET')).toEqual([200, 'landing page'])
  expect(await ask('/other', 'GET')).toEqual([404, 'not found'])
  await expect.poll(() => called).toEqual(['maintain'])
  await server.stopServer()
  expect(called).toEqual(['maintain', 'stop'])
})

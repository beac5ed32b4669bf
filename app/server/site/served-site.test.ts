import { expect, test } from 'vitest'
import { holdSite, type ServedSite } from './served-site.ts'

/** A site that is known by the hash of its template. */
const siteOf = (starterTemplate: string) => ({ starterTemplate }) as ServedSite

test('a change is made from the site that the change before it left', async () => {
  const site = holdSite(siteOf('a'))
  const hold = Promise.withResolvers<void>()
  const first = site.change(async () => {
    await hold.promise
    return siteOf('b')
  })
  const second = site.change(async ({ starterTemplate }) => siteOf(`${starterTemplate}c`))
  expect(site.current.starterTemplate).toBe('a')
  hold.resolve()
  await Promise.all([first, second])
  expect(site.current.starterTemplate).toBe('bc')
})

test('a change that fails keeps the site, tells its caller, and holds no later one up', async () => {
  const site = holdSite(siteOf('a'))
  const failing = site.change(() => Promise.reject(new Error('not drawn')))
  const kept = site.change(async () => undefined)
  await expect(failing).rejects.toThrow('not drawn')
  await kept
  expect(site.current.starterTemplate).toBe('a')
  await site.change(async () => siteOf('b'))
  expect(site.current.starterTemplate).toBe('b')
})

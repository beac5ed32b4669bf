import { expect, test } from 'vitest'
import { takenDesk } from '#rigs/owner/taken-desk.ts'
import { refusalOf } from '#rigs/owner/test-desk.ts'

const elsewhere = 'https://turnbot.invalid'

test('an image does not know its address, until the one that the desk is open at is saved', async () => {
  const { app, desk } = await takenDesk()
  expect(await desk.address.show.query()).toEqual({ publicUrl: null, isFixed: false })
  const saved = await desk.address.save.mutate({ publicUrl: `${app.url}/`, isSure: false })
  expect(saved).toEqual({ link: null })
  expect(await desk.address.show.query()).toEqual({ publicUrl: app.url, isFixed: false })
  expect(app.context.config.publicUrl).toBe(app.url)
})

test('an address that does not lead here is stored only if the owner is sure', async () => {
  const { app, desk } = await takenDesk()
  const refused = await refusalOf(desk.address.save.mutate({ publicUrl: elsewhere, isSure: false }))
  expect(refused).toMatchObject({ status: 412, message: expect.stringContaining(elsewhere) })
  expect(app.context.settings.current.isAddressKnown).toBe(false)
  await desk.address.save.mutate({ publicUrl: elsewhere, isSure: true })
  expect(app.context.config.publicUrl).toBe(elsewhere)
})

test('after a change of the address a link signs in there', async () => {
  const { desk } = await takenDesk()
  const { link } = await desk.address.save.mutate({ publicUrl: elsewhere, isSure: true })
  expect(link).toMatch(/^https:\/\/turnbot\.invalid\/desk\/link#[\w-]{43}$/)
})

test('a bare name gets https://', async () => {
  const { app, desk } = await takenDesk()
  await desk.address.save.mutate({ publicUrl: 'turnbot.invalid', isSure: true })
  expect(app.context.config.publicUrl).toBe(elsewhere)
})

test.each(['', 'my page', 'https://turnbot.invalid/page', 'ftp://turnbot.invalid'])(
  'what is no address of a site is told at its field: %j',
  async (publicUrl) => {
    const { desk } = await takenDesk()
    const refused = await refusalOf(desk.address.save.mutate({ publicUrl, isSure: true }))
    expect(refused).toMatchObject({ field: 'publicUrl', status: 409 })
  },
)

test('an address that the environment sets wins and cannot be changed at the desk', async () => {
  const { app, desk } = await takenDesk({ PUBLIC_URL: 'http://127.0.0.1:3000' })
  expect(await desk.address.show.query()).toEqual({
    publicUrl: 'http://127.0.0.1:3000',
    isFixed: true,
  })
  const refused = await refusalOf(desk.address.save.mutate({ publicUrl: elsewhere, isSure: true }))
  expect(refused).toMatchObject({ field: 'publicUrl', message: 'The environment sets it.' })
  expect(app.context.config.publicUrl).toBe('http://127.0.0.1:3000')
})

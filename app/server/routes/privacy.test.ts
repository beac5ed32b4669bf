import { expect, test } from 'vitest'
import { testApp } from '#rigs/server/test-app.ts'
import type { Config } from '../settings/config.ts'
import { ourContent } from '#rigs/our-content.ts'
import { fill } from '#site/text/fill.ts'

const { privacy } = ourContent

async function notice(config: Partial<Config>): Promise<string> {
  const app = await testApp({ config })
  const { statusCode, body } = await app.inject('/privacy')
  expect(statusCode).toBe(200)
  return body
}

test('the privacy notice names the service that sends the mail, and when an erased address is gone', async () => {
  const byRelay = await notice({ smtpUrl: 'smtps://name:secret@smtp.example.com:465' })
  expect(byRelay).toContain('smtp.example.com')
  expect(byRelay).not.toContain('secret')
  expect(byRelay).toContain(privacy.others.none)
  expect(byRelay).toMatch(
    new RegExp(`${privacy.traces.withinTheHour}|${privacy.traces.overwritten}`),
  )
  const mailApi = { provider: 'postmark', key: 'k', baseUrl: 'https://api.example.com' } as const
  expect(await notice({ smtpUrl: undefined, mailApi })).toContain('Postmark')
  const local = { smtpUrl: 'smtp://127.0.0.1:25', mailApi: undefined }
  expect(await notice(local)).toContain(privacy.ownServer)
})

test('the privacy notice names a program that is told of the list, and another host that the form sends to', async () => {
  const webhook = {
    url: 'https://hooks.example.com/x',
    secrets: ['s'],
    people: 'everyone',
  } as const
  const functionsUrl = 'https://functions.example.net/functions/v1'
  const said = await notice({ webhook, functionsUrl })
  expect(said).toContain(fill(privacy.others.programForAll, { host: 'hooks.example.com' }))
  expect(said).toContain(fill(privacy.others.form, { host: 'functions.example.net' }))
  expect(said).not.toContain(privacy.others.none)
})

test('an owner who links a notice of their own has the address of ours lead to it', async () => {
  const brand = { ...ourContent.brand, privacyUrl: 'https://owner.example/privacy' }
  const app = await testApp({ built: { content: { ...ourContent, brand } } })
  const { statusCode, headers } = await app.inject('/privacy')
  expect([statusCode, headers['location']]).toEqual([302, brand.privacyUrl])
})

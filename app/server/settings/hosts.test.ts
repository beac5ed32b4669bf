import { expect, test } from 'vitest'
import { isPublicHost } from './hosts.ts'

test.each([
  'bot.example',
  'bot.co.uk',
  'xn--80ak6aa92e.com',
  'local.example.com',
  'test.dev',
  'bot.example.',
  '8.8.8.8',
  '172.32.0.1',
  '100.128.0.1',
  '192.169.0.1',
  '[2606:4700::1111]',
])('%s is public', (host) => {
  expect(isPublicHost(host)).toBe(true)
})

test.each([
  'bot',
  'localhost',
  'bot.localhost',
  'bot.local',
  'BOT.Local',
  'bot.local.',
  'bot.internal',
  'bot.lan',
  'bot.home.arpa',
  'bot.test',
  'bot.invalid',
  'bot.corp',
  'bot.onion',
  '127.0.0.1',
  '0.0.0.0',
  '10.0.0.7',
  '100.64.0.1',
  '100.127.0.1',
  '169.254.1.1',
  '172.16.0.1',
  '172.31.0.1',
  '192.168.1.10',
  '[::1]',
  '[::]',
  '[fd12::1]',
  '[fe80::1]',
  '[::ffff:c0a8:10a]',
  '',
])('%j is not', (host) => {
  expect(isPublicHost(host)).toBe(false)
})

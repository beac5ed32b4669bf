import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { Unavailable } from './database/database.ts'
import type { LogLevel } from './settings/config.ts'
import { createLog } from './log.ts'

test('an event is one line of JSON', async () => {
  const { log, lines } = collect('info')
  log.info('two\nlines', { text: 'with "quotes"\nand breaks', count: 3 })
  log.warn('another')
  const written = await lines()
  expect(written.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'info', event: 'two\nlines', text: 'with "quotes"\nand breaks', count: 3 },
    { level: 'warn', event: 'another' },
  ])
})

test('an exception is logged without its message, which may quote what a visitor typed', async () => {
  const { log, lines } = collect('info')
  const cause = Object.assign(new TypeError('bad value: ada@example.com\n    at ada@example.com'), {
    code: 'E1',
  })
  log.error('failed', { cause })
  const [line = ''] = await lines()
  expect(line).not.toContain('ada@example.com')
  expect(JSON.parse(line)).toMatchObject({ cause: { name: 'TypeError', code: 'E1' } })
})

test('events below its level are not written', async () => {
  const { log, lines } = collect('warn')
  log.debug('no')
  log.info('no')
  log.warn('yes')
  expect(await lines()).toHaveLength(1)
})

test('the same exception is written once a minute, and so is every outage of the database', async () => {
  let time = 0
  vi.spyOn(performance, 'now').mockImplementation(() => time)
  const { log, lines } = collect('info')
  const fail = () => log.error('failed', { cause: new TypeError('a bug') })
  for (let turn = 0; turn < 3; turn += 1) {
    fail()
    for (const event of ['cannot claim', 'request failed', 'not stored']) {
      log.error(event, { cause: new Unavailable(`${turn} ${event}`) })
    }
    log.info('sent')
    time += 20_000
  }
  const events = async () => (await lines()).map((line): string => JSON.parse(line).event)
  expect(await events()).toEqual(['failed', 'cannot claim', 'sent', 'sent', 'sent'])
  fail()
  expect((await events()).at(-1)).toBe('failed')
  vi.restoreAllMocks()
})

function collect(level: LogLevel) {
  let written = ''
  const log = createLog(level, (lines) => void (written += lines))
  const lines = async () => {
    await nextTurn()
    return written.split('\n').filter((line) => line !== '')
  }
  return { log, lines }
}

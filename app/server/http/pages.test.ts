import { expect, test } from 'vitest'
import { fillTemplates } from './pages.ts'

const config = {
  publicUrl: 'https://bot.example',
  functionsUrl: 'https://bot.example/functions/v1',
  anonKey: 'key',
  supportEmail: 'help@bot.example',
}

test('a page or part that is missing is an error, never an empty page', () => {
  const { page, part } = fillTemplates({ landing: '<h1>{site}</h1>' }, config)
  expect(page('landing', {})).toBe('<h1>bot.example</h1>')
  expect(() => page('failure', {})).toThrow('no page or part "failure"')
  expect(() => part('what-changed-9.9.9-on', {})).toThrow('what-changed-9.9.9-on')
})

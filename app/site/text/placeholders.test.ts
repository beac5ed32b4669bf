import { expect, test } from 'vitest'
import { fillPlaceholders, placeholder, writePlaceholders } from './placeholders.ts'

test('a value is put in safe for HTML, and a part as it stands', () => {
  const html = writePlaceholders(`<p>${placeholder('a')}</p>${placeholder('b')}`)
  expect(html).toBe('<p>{a}</p>{b}')
  expect(fillPlaceholders(html, { a: '<$&"' }, { b: '<hr/>' })).toBe('<p>&#60;$&#38;&#34;</p><hr/>')
})

test('braces of a text are not taken for a placeholder, and are read as they were written', () => {
  const script = 'x = "{token}{{token}}{{strategy.order.id}}{ }"'
  const html = writePlaceholders(`<code>${script}</code>${placeholder('token')}`)
  const filled = fillPlaceholders(html, { token: 'SECRET' })
  expect(filled.split('SECRET')).toHaveLength(2)
  expect(filled.replaceAll('&#123;', '{')).toBe(`<code>${script}</code>SECRET`)
})

import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { ourContent } from '#rigs/our-content.ts'
import { formWords } from './form-words.ts'
import { Question } from './messages.tsx'

test('a limit is told with the time at which it ends', () => {
  const since = new Date(2026, 10, 22, 10).getTime()
  const markup = renderToStaticMarkup(
    <Question
      words={formWords(ourContent)}
      message={{ kind: 'wait', since, until: since + 540_000 }}
      onChoose={() => {}}
    />,
  )
  expect(markup).toBe('<p class="asked">Too many sign-ups right now. Try again at 10:09.</p>')
})

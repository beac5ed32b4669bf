import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Fragment, jsx, jsxs } from './text-elements.ts'

const line = createElement('br')

test.each([
  [
    'text beside an element',
    jsxs('p', { children: ['Sent', line] }),
    '<p><span>Sent</span><br/></p>',
  ],
  [
    'a number',
    jsxs('p', { children: [3, ' people'] }),
    '<p><span>3</span><span> people</span></p>',
  ],
  ['text in a fragment', jsxs(Fragment, { children: ['a', line] }), '<span>a</span><br/>'],
  ['white space', jsxs('p', { children: [line, ' ', line] }), '<p><br/> <br/></p>'],
  ['nothing', jsxs('p', { children: [null, false, ''] }), '<p></p>'],
  ['text alone', jsx('p', { children: 'Sent' }), '<p>Sent</p>'],
  ['code', jsx('code', { children: 'PORT' }), '<code translate="no">PORT</code>'],
  [
    'code of several texts',
    jsxs('pre', { children: ['a', 1] }),
    '<pre translate="no"><span>a</span><span>1</span></pre>',
  ],
  ['an option', jsxs('option', { children: ['a', 'b'] }), '<option>ab</option>'],
])(
  'each text that is not alone has an element of its own, and code is not translated: %s',
  (_, element, html) => {
    expect(renderToStaticMarkup(element)).toBe(html)
  },
)

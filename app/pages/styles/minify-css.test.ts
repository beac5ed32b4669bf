import { expect, test } from 'vitest'
import { minifyCss } from './minify-css.ts'

test('comments and space go, meaning stays', () => {
  const css = `
    /* why */
    .a > .b,
    .c .d:not(:focus) {
      margin: calc(100% - 2px) 0;
      font: 13px/20px var(--mono);
    }
    @media (min-width: 720px) { .a { color: red; } }
  `
  expect(minifyCss(css)).toBe(
    '.a>.b,.c .d:not(:focus){margin:calc(100% - 2px) 0;font:13px/20px var(--mono)}@media (min-width:720px){.a{color:red}}',
  )
})

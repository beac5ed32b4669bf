import { type BadRequest, requestText } from './request-text.ts'

const tokens = [
  ...[
    '',
    'a',
    'a'.repeat(21),
    'a'.repeat(23),
    'a'.repeat(22),
    'a'.repeat(4_000),
    '0'.repeat(22),
    '-'.repeat(22),
    '_'.repeat(22),
  ],
  ...[
    `${'a'.repeat(21)}=`,
    `${'a'.repeat(21)}+`,
    `${'a'.repeat(21)}.`,
    `${'a'.repeat(21)}%`,
    `${'a'.repeat(19)}%61`,
    '%61'.repeat(22),
  ],
  ...[
    "'or'1'='1",
    "a';drop/**/table--",
    '%27%20or%201=1',
    '"',
    '*',
    '%25',
    '%00',
    `${'a'.repeat(22)}%00`,
    `${'a'.repeat(22)}%0a`,
  ],
  ...[
    '..',
    '%2e%2e',
    '%2e%2e%2f',
    '....',
    'null',
    'undefined',
    '__proto__',
    'constructor',
    '[object%20Object]',
    'NaN',
    '-1',
    '0',
  ],
  ...[
    '\xe4'.repeat(22),
    '\xff'.repeat(11),
    '%F0%9F%98%80',
    'A'.repeat(22),
    `${'a'.repeat(22)};x`,
    `${'a'.repeat(22)},`,
    `.${'a'.repeat(21)}`,
  ],
]

/** Nobody's personal link. */
export const badTokens: BadRequest[] = tokens.flatMap((token) =>
  ['', '/unsubscribe', '/erase', '/ema-crossover.pine', '/../unsubscribe'].flatMap((rest) =>
    ['GET', 'POST'].map((method) => ({
      why: `${method} /kit/${token.slice(0, 40)}${rest}`,
      bytes: requestText({
        line: `${method} /kit/${token}${rest} HTTP/1.1`,
        body: 'List-Unsubscribe=One-Click',
      }),
    })),
  ),
)

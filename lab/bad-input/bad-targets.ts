import { functionPath } from '#rigs/server/test-app.ts'
import { type BadRequest, requestText } from './request-text.ts'

const methods = [
  ...[
    'GET',
    'HEAD',
    'PUT',
    'PATCH',
    'DELETE',
    'TRACE',
    'CONNECT',
    'PROPFIND',
    'SEARCH',
    'M-SEARCH',
    'QUERY',
    'LINK',
  ],
  ...['post', 'Post', 'FOO', 'POSTX', 'P', '', 'POST,GET', '<script>'],
]

export const badMethods: BadRequest[] = methods.flatMap((method) =>
  [functionPath, '/kit/aaaaaaaaaaaaaaaaaaaaaa/unsubscribe', '/kit/aaaaaaaaaaaaaaaaaaaaaa/erase'].map(
    (path) => ({
      why: `${method} ${path}`,
      bytes: requestText({ line: `${method} ${path} HTTP/1.1` }),
    }),
  ),
)

const forms = [
  ...[
    '*',
    '//',
    '//[',
    '///',
    'http://[',
    '[',
    '?',
    '#',
    '\\',
    'x',
    '@',
    ':',
    '..',
    '//evil.example/',
    '/\\evil.example',
  ],
  ...[
    `http://bot.example${functionPath}`,
    `https://evil.example${functionPath}`,
    `//bot.example${functionPath}`,
  ],
  ...[
    'http://',
    'http:///',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'bot.example:443',
    '169.254.169.254:80',
  ],
]

const elsewhere = [
  ...[
    '/../../etc/passwd',
    '/assets/../../package.json',
    '/assets/../package.json',
    '/./',
    '/../',
    '/.',
    '/..',
  ],
  ...[
    '/%2e%2e/%2e%2e/etc/passwd',
    '/..%2f..%2fetc/passwd',
    '/..%5c..%5cwin.ini',
    '/%2e%2e%2f',
    '/..;/',
    '/..%00/',
  ],
  ...[
    '/%252e%252e%252f',
    '/%c0%ae%c0%ae/etc/passwd',
    '/%uff0e%uff0e/',
    '/..\\..\\win.ini',
    '/....//....//etc/passwd',
  ],
  ...[
    '/%',
    '/%zz',
    '/%2',
    '/%00',
    '/\x7f',
    '/\xff\xfe',
    '/%ff',
    '/robots.txt/',
    '/robots.txt%00',
    '/robots.txt%20',
    '/ROBOTS.TXT',
  ],
  ...[
    '/.env',
    '/.git/config',
    '/package.json',
    '/server/main.ts',
    '/data/starter-bot.db',
    '/dist/build.json',
  ],
  ...[
    '/dev/inbox',
    '/dev/inbox/../..',
    '/metrics',
    '/metrics/',
    '/healthz/',
    '/kit',
    '/kit/',
    '/kit//',
    '/kit/..',
    '/kit/../',
  ],
  ...[
    '/wp-login.php',
    '/?/../x',
    '/<script>alert(1)</script>',
    "/' or 1=1--",
    '/${jndi:ldap://evil.example}',
    '/{{7*7}}',
  ],
  ...[
    `${functionPath}/`,
    `${functionPath}/x`,
    `${functionPath}%20`,
    `${functionPath};x`,
    `${functionPath}%3Fx`,
  ],
  ...[
    `/${functionPath}`,
    `/.${functionPath}`,
    `/x/..${functionPath}`,
    functionPath.toUpperCase(),
    functionPath.replaceAll('/', '%2f'),
  ],
  ...[functionPath.replace('v1', 'v2'), functionPath.slice(0, -1), functionPath.replace('/v1/', '//v1//')],
].filter((path) => !path.startsWith('/?') && !path.includes(' '))

/** No page of ours, nor the function, by whatever way it is asked for. */
export const badPaths: BadRequest[] = [...forms, ...elsewhere].flatMap((path) =>
  ['GET', 'POST'].map((method) => ({
    why: `${method} ${path}`,
    bytes: requestText({ line: `${method} ${path} HTTP/1.1` }),
  })),
)

import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { addressesThatAreNone } from './bad-addresses.ts'
import { brokenJson, notOurJson, wrongEncodings } from './bad-json.ts'
import { type BadRequest, goodBody, requestText } from './request-text.ts'

const good = 'smuggled@example.com'

const otherTypes = [
  undefined,
  '',
  'text/plain',
  'text/json',
  'application/xml',
  'application/jsonp',
  'application/json-patch+json',
  'application/ld+json',
  'application/octet-stream',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  'application',
  '*/*',
  'json',
  'text/html',
  'application/json, text/plain',
  'text/plain, application/json',
  'text/plain; application/json',
  'application /json',
  '"application/json"',
]

const compressed = [
  ['gzip', gzipSync(goodBody)],
  ['deflate', deflateSync(goodBody)],
  ['br', brotliCompressSync(goodBody)],
  ['gzip', Buffer.from(goodBody)],
  ['gzip', gzipSync(Buffer.alloc(1_000_000))],
  ['gzip, gzip', gzipSync(gzipSync(goodBody))],
  ['nonsense', Buffer.from(goodBody)],
] as const

const multipart = `--x\r\ncontent-disposition: form-data; name="email"\r\n\r\n${good}\r\n--x--\r\n`
const forms = [
  '',
  'email',
  'email=',
  'Email=a%40b.co',
  'email[]=a%40b.co',
  'email%00=a%40b.co',
  ' email=a%40b.co',
  'mail=a%40b.co',
  '&&&',
  '===',
  '=',
  'email=nobody&email=a%40b.co',
  'email=%zz',
  'email=a%00%40b.co',
  'email=a%40b.co%0d%0aBcc:x%40y.co',
  'email=%ff%fe%40b.co',
  'email=a%40b.co%2Cc%40d.co',
  'email=%ED%A0%80%40b.co',
  'email=<script>',
  'a=1&'.repeat(1e3),
  `{"email":"a@b.co"}`,
  goodBody,
  multipart,
  'email=a%2540b.co',
  'email=aÿ@b.co',
]

export const badBodies: BadRequest[] = [
  ...[...notOurJson, ...brokenJson, ...wrongEncodings].map((body) => ({
    why: `body ${body.slice(0, 60)}`,
    bytes: requestText({ body }),
  })),
  ...addressesThatAreNone.map((typed) => ({
    why: `address ${typed.slice(0, 60)}`,
    bytes: requestText({ body: `{"email":"${typed.replaceAll('"', '\\"')}"}` }),
  })),
  ...otherTypes.map((type) => ({
    why: `content-type ${type}`,
    bytes: requestText({ headers: { 'content-type': type } }),
  })),
  {
    why: 'a field of multipart',
    bytes: requestText({ headers: { 'content-type': 'multipart/form-data; boundary=x' }, body: multipart }),
  },
  ...compressed.map(([coding, body]) => ({
    why: `content-encoding ${coding}`,
    bytes: requestText({ headers: { 'content-encoding': coding }, body: body.toString('latin1') }),
  })),
  ...forms.map((body) => ({
    why: `form ${body.slice(0, 60)}`,
    bytes: requestText({ headers: { 'content-type': 'application/x-www-form-urlencoded' }, body }),
  })),
  ...[4_097, 5_000, 70_000, 500_000].flatMap((size) =>
    ['application/json', 'application/x-www-form-urlencoded'].map((type) => ({
      why: `${size} bytes of ${type}`,
      bytes: requestText({
        headers: { 'content-type': type },
        body: `${goodBody}${' '.repeat(size - goodBody.length)}`,
      }),
    })),
  ),
]

const strangers = [
  'https://evil.example',
  'null',
  '',
  'bot.example',
  'http://bot.example',
  'https://bot.example/',
  'https://bot.example:443',
]
const alike = [
  'https://bot.example.evil.example',
  'https://xbot.example',
  'HTTPS://BOT.EXAMPLE',
  'https://bot.example https://evil.example',
  '*',
  'file://',
]

/** Requests from a page of another origin, by script and by form. */
export const badOrigins: BadRequest[] = [...strangers, ...alike].flatMap((origin) => [
  { why: `script from ${origin}`, bytes: requestText({ headers: { origin } }) },
  {
    why: `form from ${origin}`,
    bytes: requestText({
      headers: { origin, 'content-type': 'application/x-www-form-urlencoded', authorization: undefined },
      body: 'email=smuggled%40example.com',
    }),
  },
])

export const badCredentials: BadRequest[] = [
  undefined,
  '',
  'Bearer',
  'Bearer ',
  'test-key',
  'Bearer test-key x',
  'Basic test-key',
  'Bearer test',
  'Bearer \xff',
].map((authorization) => ({
  why: `authorization ${authorization}`,
  bytes: requestText({ headers: { authorization } }),
}))

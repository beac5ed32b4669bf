import { expect, test } from 'vitest'
import { defaultContent } from '#content/content.ts'
import { ourContent } from '#rigs/our-content.ts'
import { renderLetter as renderFrame } from '#site/mail/letter.tsx'
import { sender } from '#rigs/server/queue-mails.ts'
import { previewMail } from '#owner/mail/preview-mail.ts'
import { composeMailing } from '../compose.ts'
import { renderMarkdown } from './markdown.ts'

test.each([
  ['One\n\nTwo', '<p>One</p>\n<p>Two</p>', 'One\n\nTwo'],
  ['# Hello\n\nText', '<h2>Hello</h2>\n<p>Text</p>', 'Hello\n\nText'],
  ['**bold**\n`code`', '<p><strong>bold</strong><br>\n<code>code</code></p>', 'bold\ncode'],
  [
    '[me](youtube.com/@x)',
    '<p><a href="https://youtube.com/@x">me</a></p>',
    'me:\nhttps://youtube.com/@x',
  ],
  ['- one\n- **two**', '<ul>\n<li>one</li>\n<li><strong>two</strong></li>\n</ul>', '* one\n * two'],
  ['1. one\n2. two', '<ol>\n<li>one</li>\n<li>two</li>\n</ol>', '1. one\n 2. two'],
  ['> said', '<blockquote>\n<p>said</p>\n</blockquote>', '> said'],
  ['```\na < b\n```', '<pre>a &lt; b</pre>', 'a < b'],
  [
    'Before\n\n| Plan | Price |\n|---|--:|\n| Basic | 9 |',
    '<p>Before</p>\n<table>\n<thead>\n<tr>\n<th align="left">Plan</th>\n<th align="right">Price</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td align="left">Basic</td>\n<td align="right">9</td>\n</tr>\n</tbody>\n</table>',
    'Before\n\nPlan    Price\nBasic   9',
  ],
  ['a\n\n---\n\nb', '<p>a</p>\n<hr>\n<p>b</p>', `a\n\n${'-'.repeat(40)}\n\nb`],
  [
    '[me](https://e.co/?b&c)',
    '<p><a href="https://e.co/?b&amp;c">me</a></p>',
    'me:\nhttps://e.co/?b&c',
  ],
  ['[me](mailto:a@b.co)', '<p><a href="mailto:a@b.co">me</a></p>', 'me:\na@b.co'],
  ['Ask a@b.co now', '<p>Ask <a href="mailto:a@b.co">a@b.co</a> now</p>', 'Ask a@b.co now'],
  ['[bad](javascript:alert(1))', '<p>[bad](javascript:alert(1))</p>', '[bad](javascript:alert(1))'],
  [
    '![a chart](http://e.co/c.png)',
    '<p><a href="http://e.co/c.png">a chart</a></p>',
    'a chart:\nhttp://e.co/c.png',
  ],
  ['![](http://e.co/)', '<p><a href="http://e.co/">http://e.co/</a></p>', 'http://e.co/'],
  [
    '![a chart](/pictures/AbCdEfGhIjKlMnOpQrStUv-1104x620.png)',
    '<p><img src="https://bot.example/pictures/AbCdEfGhIjKlMnOpQrStUv-1104x620.png" alt="a chart" width="552" height="310"></p>',
    'a chart',
  ],
  ['a <img src=x>', '<p>a &lt;img src=x&gt;</p>', 'a <img src=x>'],
  [
    '<script>alert(1)</script>',
    '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>',
    '<script>alert(1)</script>',
  ],
  ['{address} & $& $1', '<p>{address} &amp; $&amp; $1</p>', '{address} & $& $1'],
])('the letter %j has this HTML and this text', async (markdown, html, text) => {
  const mail = await mailOf(markdown)
  expect(mail.html).toContain(`<h1>News</h1><div>${html}</div>`)
  expect(mail.text).toContain(`News\n\n${text}\n\n`)
})

test.each([
  { piece: '*a_', times: 64_000, shown: '*a_' },
  { piece: '![', times: 64_000, shown: '![' },
  { piece: '[a](', times: 200_000, shown: '[a](' },
  { piece: '> ', times: 64_000, shown: '' },
])(
  '$piece is rendered $times times over: in a time that grows with its square it would not end',
  ({ piece, times, shown }) => {
    const html = renderMarkdown(piece.repeat(times), attributes)
    expect(html.replaceAll(/<[^>]*>/g, '').trim()).toBe(shown.repeat(times))
  },
)

test('subject and the beginning of the text are what a mail program shows in its list', async () => {
  const { subject, html } = await mailOf(
    `**Hello**,\n\n"you" ${'and more '.repeat(30)}`,
    ' Ada &\n {Co} ',
  )
  expect(subject).toBe('Ada & {Co}')
  expect(html).toContain('<title>Ada &#38; {Co}</title>')
  expect(/<body><div>(.*?)<\/div>/.exec(html)?.[1]).toBe(
    `Hello, &#34;you&#34; ${'and more '.repeat(30).slice(0, 120 - 'Hello, "you" '.length)}`,
  )
})

const { attributes } = renderFrame(ourContent)

/** The HTML is without its styles. */
async function mailOf(text: string, subject = 'News') {
  const letter = renderFrame(ourContent)
  const source = { content: defaultContent, mails: { letter, versionLetter: letter } }
  const written = { subject, preview: '', words: text, to: 'consented', version: null } as const
  const mail = previewMail(composeMailing(source, written), sender)
  return { ...mail, html: mail.html.replaceAll(/ (?:style|class|data-[\w-]+)="[^"]*"/g, '') }
}

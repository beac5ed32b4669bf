import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../configuration/config.ts'
import { loadPages } from './pages.ts'
import { answerStaticFile } from './static-files.ts'

const template =
  '<a href="{{publicUrl}}" data-wait="{{resendAfterSeconds}}" data-call="{{functionsUrl}}">{{address}}</a>{{token}}'
const names = ['landing', 'not-found', 'kit']
let dist = ''

beforeAll(async () => {
  dist = await mkdtemp(join(tmpdir(), 'pages-'))
  await mkdir(join(dist, 'pages'))
  await Promise.all(
    names.map((name) => writeFile(join(dist, 'pages', `${name}.html`), `${template}${name}`.repeat(20))),
  )
})

afterAll(() => rm(dist, { recursive: true }))

function load(functionsUrl = 'https://bot.example/functions/v1') {
  const read = readConfig({
    PUBLIC_URL: 'https://bot.example',
    FUNCTIONS_URL: functionsUrl,
    SMTP_URL: 'smtp://127.0.0.1',
  })
  if ('faults' in read) throw new Error(read.faults.join())
  return loadPages(dist, read.config)
}

test('a page is filled with its values, escaped for HTML', async () => {
  const { page } = await load()
  const html = page('kit', { address: `"'<script>&@x.example`, token: 'abc' })
  expect(html).toContain('<a href="https://bot.example" data-wait="900" data-call="/functions/v1">')
  expect(html).toContain('>&quot;&#39;&lt;script&gt;&amp;@x.example</a>abckit')
})

test('an address that looks like a placeholder stays what it is', async () => {
  const { page } = await load()
  expect(page('kit', { address: '{{token}}@x.example', token: 'secret' })).toContain(
    '>{{token}}@x.example</a>',
  )
  expect(page('kit', { address: '$&$1@x.example', token: 'secret' })).toContain('>$&amp;$1@x.example</a>')
})

test('a functions endpoint on another origin is named in full', async () => {
  const { page } = await load('https://abc.supabase.example/functions/v1')
  expect(page('kit', { address: '', token: '' })).toContain(
    'data-call="https://abc.supabase.example/functions/v1"',
  )
})

test('the landing page is ready in every coding', async () => {
  const { landing } = await load()
  const { status, headers, body } = answerStaticFile(
    { method: 'GET', headers: { 'accept-encoding': 'br' } },
    landing,
  )
  expect(status).toBe(200)
  expect(headers['content-type']).toBe('text/html; charset=utf-8')
  expect(headers['cache-control']).toBe('public, max-age=0, s-maxage=60')
  expect(brotliDecompressSync(body).toString()).toContain('<a href="https://bot.example"')
})

test('the 404 page has status 404', async () => {
  const { notFound } = await load()
  expect(answerStaticFile({ method: 'GET', headers: {} }, notFound).status).toBe(404)
})

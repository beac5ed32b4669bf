import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadKitDownloads, loadStaticFiles } from './load-static-files.ts'
import { answerStaticFile } from './static-files.ts'

let dist = ''

beforeAll(async () => {
  dist = await mkdtemp(join(tmpdir(), 'dist-'))
  const contents = {
    'assets/entry-1a2b.js': 'script',
    'assets/entry-1a2b.js.br': 'brotli',
    'root/robots.txt': 'Sitemap: {{publicUrl}}/sitemap.xml',
    'root/og.png': 'picture',
    'kit/kit.json': '[{ "name": "a.pine", "savedAs": "own.pine", "mediaType": "text/plain; charset=utf-8" }]',
    'kit/a.pine': 'strategy',
  }
  await Promise.all(['assets', 'root', 'kit'].map((folder) => mkdir(join(dist, folder))))
  await Promise.all(Object.entries(contents).map(([name, text]) => writeFile(join(dist, name), text)))
})

afterAll(() => rm(dist, { recursive: true }))

async function fetchFile(path: string, encoding = '') {
  const file = (await loadStaticFiles(dist, 'https://bot.example')).get(path)
  return file && answerStaticFile({ method: 'GET', headers: { 'accept-encoding': encoding } }, file)
}

test('an asset may be cached for ever, and is sent as the build compressed it', async () => {
  const answer = await fetchFile('/assets/entry-1a2b.js', 'br')
  expect(answer?.body.toString()).toBe('brotli')
  expect(answer?.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    'content-encoding': 'br',
  })
})

test('a compressed file has no separate address', async () => {
  expect(await fetchFile('/assets/entry-1a2b.js.br')).toBeUndefined()
})

test('a file at the root names the public URL', async () => {
  const answer = await fetchFile('/robots.txt')
  expect(answer?.body.toString()).toBe('Sitemap: https://bot.example/sitemap.xml')
})

test('a picture is sent byte for byte', async () => {
  expect(await fetchFile('/og.png')).toMatchObject({
    headers: { 'content-type': 'image/png' },
    body: Buffer.from('picture'),
  })
})

test('a file of the kit is saved under the name that its owner gave it', async () => {
  const file = loadKitDownloads(dist).get('a.pine')
  expect(file?.plain.bytes.toString()).toBe('strategy')
  expect(file?.plain.headers).toMatchObject({
    'content-type': 'text/plain; charset=utf-8',
    'content-disposition': 'attachment; filename="own.pine"',
  })
})

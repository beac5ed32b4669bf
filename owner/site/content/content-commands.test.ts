import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openOwnerTerminal } from '#rigs/owner/owner-terminal.ts'
import { renderingBuild } from '#rigs/server/rendering-build.ts'
import { temporaryFolder } from '#rigs/temporary-folder.ts'
import { readAudit } from '#owner/acts/audit.ts'
import { listVersions } from '#server/site/versions/versions.ts'

const { renderer } = renderingBuild()

function fileOf(content: object | string): string {
  const path = join(temporaryFolder(), 'content.json')
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

const content = {
  format: 'starter-bot content 1',
  texts: {
    'kit.rule': 'It buys when the RSI turns.',
    'landingPage.footer.trademarks': 'No market is shown.',
  },
  files: {
    script: {
      name: 'rsi.pine',
      mediaType: 'text/plain; charset=utf-8',
      base64: Buffer.from('// Version 1.0.0, 2026-11-30\nstrategy("RSI")\n').toString('base64'),
    },
  },
}

test('what is imported is published, and exported again as it was', async () => {
  const { owner, database } = await openOwnerTerminal({}, { renderer })
  const imported = await owner('content', 'import', fileOf(content))
  expect(imported.aside).toBe('')
  expect((await listVersions(database)).map(({ about }) => about)).toEqual([
    'Imported from content.json',
  ])
  expect(await readAudit(database)).toMatchObject([{ action: 'Published the page' }])
  const path = join(temporaryFolder(), 'out.json')
  expect(await owner('content', 'export', path)).toMatchObject({ code: 0 })
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(content)
})

test('before anything is published an export holds no text', async () => {
  const { owner } = await openOwnerTerminal()
  const path = join(temporaryFolder(), 'out.json')
  await owner('content', 'export', path)
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ texts: {}, files: {} })
})

test.each([
  ['no JSON', 'name: x', 'not JSON'],
  ['of another product', { version: 3, posts: [] }, 'from another product'],
  ['with an unknown part', { ...content, theme: 'dark' }, '“theme”'],
  ['with a text that does not exist', { ...content, texts: { 'brand.motto': 'x' } }, 'brand.motto'],
  ['with an unknown file', { ...content, files: { video: {} } }, 'video'],
  [
    'with a fault',
    { ...content, texts: { 'brand.imprintUrl': 'javascript:x' } },
    'brand.imprintUrl: This is not a link',
  ],
])('a file %s is refused by name, and nothing is published', async (_, given, words) => {
  const { owner, database } = await openOwnerTerminal({}, { renderer })
  const { code, aside } = await owner('content', 'import', fileOf(given))
  expect(code).toBe(1)
  expect(aside).toContain(words)
  expect(await listVersions(database)).toEqual([])
})

import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#rigs/temporary-folder.ts'
import type { Content } from '#content/content.ts'
import { writeDefaults } from './write-defaults.ts'

const artwork = join(import.meta.dirname, '../../app/site/artwork')
const sources = join(import.meta.dirname, '../../content')

/** A copy of content/, and what it holds once it was written to. */
function copyOfContent() {
  const folder = join(temporaryFolder(), 'content')
  cpSync(sources, folder, { recursive: true })
  return {
    folder,
    read: (file: string) => readFileSync(join(folder, file), 'utf8'),
    async load(): Promise<Content> {
      const { defaultContent } = await import(pathToFileURL(join(folder, 'content.ts')).href)
      return defaultContent
    },
  }
}

const offer = {
  'offer.title': 'The course',
  'offer.text': 'Ten lessons.',
  'offer.linkText': 'See it',
  'offer.url': 'https://course.example',
}
const changed = {
  'brand.name': "Mara's “Turn” Bot",
  'landingPage.hero.heading.1': 'that waits for a turn.',
  'starterEmail.steps': ['Open it.', 'Paste it.'],
  ...offer,
}

test('the published texts become the defaults, and all other lines stay as they are', async () => {
  const { folder, load, read } = copyOfContent()
  const { written } = await writeDefaults(folder, { content: { texts: changed }, files: {} })
  expect(written.toSorted()).toEqual([
    'brand.ts',
    'mail/starter-email.ts',
    'offer.ts',
    'pages/landing-page.ts',
  ])
  const content = await load()
  expect(content.brand.name).toBe("Mara's “Turn” Bot")
  expect(content.landingPage.hero.heading).toEqual(['A trading bot', 'that waits for a turn.'])
  expect(content.starterEmail.steps).toEqual(['Open it.', 'Paste it.'])
  expect(content.offer).toEqual({
    title: 'The course',
    text: 'Ten lessons.',
    linkText: 'See it',
    url: 'https://course.example',
  })
  expect(Object.keys(content.offer ?? {})).toEqual(['title', 'text', 'linkText', 'url'])
  const before = readFileSync(join(sources, 'brand.ts'), 'utf8').split('\n')
  const after = read('brand.ts').split('\n')
  expect(after.filter((line) => !before.includes(line))).toEqual(['  name: "Mara\'s “Turn” Bot",'])
})

test('a script of the owner goes into content/kit/ with its name, and its version into the releases', async () => {
  const { folder, load, read } = copyOfContent()
  const bytes = Buffer.from('//@version=6\n// Version 2.0.0, 2026-11-25\nstrategy("RSI")\n')
  const script = { name: 'rsi turn.pine', mediaType: 'text/plain', bytes }
  const picture = {
    name: 'share.png',
    mediaType: 'image/png',
    bytes: readFileSync(join(artwork, 'og.png')),
  }
  const { left } = await writeDefaults(folder, {
    content: { texts: {} },
    files: { script, sharePicture: picture },
  })
  expect(left).toEqual(['sharePicture'])
  expect(read('kit/rsi-turn.pine')).toBe(bytes.toString())
  const { kit, releases } = await load()
  expect(kit.script).toEqual({ name: 'rsi-turn.pine', isYourOwn: true })
  expect(releases).toEqual([{ version: '2.0.0', date: '2026-11-25', changes: [] }])
})

test('a text that does not exist is refused by its name, and no file is changed', async () => {
  const { folder, read } = copyOfContent()
  const content = { texts: { 'brand.name': 'Turn', 'brand.motto': 'x' } }
  await expect(writeDefaults(folder, { content, files: {} })).rejects.toThrow('brand.motto')
  expect(read('brand.ts')).not.toContain('Turn')
})

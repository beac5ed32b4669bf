import { expect, test } from 'vitest'
import { defaultContent } from '#content/content.ts'
import { givenScriptFile } from '#kit/given-files.ts'
import { renderingBuild } from '#rigs/server/rendering-build.ts'
import type { SiteSource } from '../source.ts'
import { drawSite } from './draw-site.ts'
import { readDrawingFiles } from './drawing-files.ts'

const build = renderingBuild()
const typeset = { guides: 0 }
const drawing = {
  files: readDrawingFiles(build.folder),
  typesetter: {
    async typeset() {
      typeset.guides += 1
      return Buffer.from('%PDF-1.7')
    },
  },
  ourScript: givenScriptFile(defaultContent.kit.script),
}

function sourceOf(texts: Record<string, string>): SiteSource {
  return { difference: { texts: { 'brand.name': 'Tide Bot', ...texts } }, files: {} }
}

const before = {
  source: sourceOf({}),
  drawn: {
    guide: Buffer.from('a guide'),
    guidePage: Buffer.from('a page of it'),
    sharePicture: Buffer.from('a picture'),
  },
}

test('a text that is in no drawing has nothing drawn again', async () => {
  const drawn = await drawSite(sourceOf({ 'starterEmail.heading': 'Here.' }), before, drawing)
  expect(drawn).toEqual(before.drawn)
  expect(typeset.guides).toBe(0)
})

test('only what a changed text is in is drawn again', async () => {
  const changed = sourceOf({ 'landingPage.hero.heading.1': 'for every tide.' })
  const drawn = await drawSite(changed, before, drawing)
  expect(drawn).toMatchObject({ guide: before.drawn.guide, guidePage: before.drawn.guidePage })
  expect(
    Buffer.from(drawn.sharePicture ?? [])
      .subarray(1, 4)
      .toString(),
  ).toBe('PNG')
})

test('a guide of the owner’s own that was there before keeps the picture of its page', async () => {
  const guide = { name: 'g.pdf', mediaType: 'application/pdf', bytes: Buffer.from('%PDF-1.7') }
  const own = (texts: Record<string, string>) => ({ ...sourceOf(texts), files: { guide } })
  const { guidePage, sharePicture } = before.drawn
  const drawn = await drawSite(
    own({ 'starterEmail.heading': 'Here.' }),
    { source: own({}), drawn: { guidePage, sharePicture } },
    drawing,
  )
  expect(drawn).toEqual({ guidePage, sharePicture })
})

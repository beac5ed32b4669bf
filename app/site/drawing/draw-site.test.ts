import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { defaultContent } from '#content/content.ts'
import { givenScriptFile } from '#site/kit/given-files.ts'
import { renderingBuild } from '#rigs/server/rendering-build.ts'
import type { Drawings, SiteSource } from '../source.ts'
import { drawSite } from './draw-site.ts'
import { readDrawingFiles } from './drawing-files.ts'

const build = renderingBuild()
const ourGuide = readFileSync(join(build.folder, 'kit/setup-guide.pdf'))
const typeset = { guides: 0 }
const drawing = {
  files: readDrawingFiles(build.folder),
  typesetter: {
    async typeset() {
      typeset.guides += 1
      return ourGuide
    },
  },
  ourScript: givenScriptFile(defaultContent.kit.script),
}

function sourceOf(texts: Record<string, string>): SiteSource {
  return { difference: { texts: { 'brand.name': 'Tide Bot', ...texts } }, files: {} }
}

const guidePage = Buffer.from('a page of it')
const sharePicture = Buffer.from('a picture')
/** The drawings of Tide Bot's version before. */
const before: Drawings = {
  drawn: { guide: Buffer.from('a guide'), guidePage, sharePicture },
  drawnFrom: (await drawSite(sourceOf({}), undefined, drawing)).drawnFrom,
}

beforeEach(() => {
  typeset.guides = 0
})

test('a text that is in no drawing has nothing drawn again', async () => {
  const changed = sourceOf({ 'starterEmail.heading': 'Here.' })
  expect(await drawSite(changed, before, drawing)).toEqual(before)
  expect(typeset.guides).toBe(0)
})

test('only what a changed text is in is drawn again', async () => {
  const changed = sourceOf({ 'landingPage.hero.heading.1': 'for every tide.' })
  const { drawn } = await drawSite(changed, before, drawing)
  expect(drawn).toMatchObject({ guide: before.drawn.guide, guidePage: before.drawn.guidePage })
  expect(
    Buffer.from(drawn.sharePicture ?? [])
      .subarray(1, 4)
      .toString(),
  ).toBe('PNG')
})

test('the guide of a newer script of ours is drawn again', async () => {
  const ourScript = Buffer.from(
    String(drawing.ourScript).replace('"Fast length"', '"Quick length"'),
  )
  await drawSite(sourceOf({}), before, { ...drawing, ourScript })
  expect(typeset.guides).toBe(1)
})

test('the guide of a newer template is drawn again', async () => {
  const files = { ...drawing.files, template: `${drawing.files.template}\n` }
  await drawSite(sourceOf({}), before, { ...drawing, files })
  expect(typeset.guides).toBe(1)
})

test('what an earlier release drew without a note is drawn again', async () => {
  await drawSite(sourceOf({}), { drawn: before.drawn }, drawing)
  expect(typeset.guides).toBe(1)
})

test('a guide of the owner’s own that was there before keeps the picture of its page', async () => {
  const guide = { name: 'g.pdf', mediaType: 'application/pdf', bytes: ourGuide }
  const own = (texts: Record<string, string>) => ({ ...sourceOf(texts), files: { guide } })
  const { drawnFrom } = await drawSite(own({}), undefined, drawing)
  const changed = own({ 'starterEmail.heading': 'Here.' })
  const { drawn } = await drawSite(
    changed,
    { drawn: { guidePage, sharePicture }, drawnFrom },
    drawing,
  )
  expect(drawn).toEqual({ guidePage, sharePicture })
})

import { readFileSync } from 'node:fs'
import { brand } from '#content/brand.ts'
import { light, type Palette } from '#content/palette.ts'
import { setupGuide } from '#content/setup-guide.ts'
import { withValues } from '../chart.ts'
import { sampleRun } from '../sample-run.ts'
import { guideContent, type GuideContent } from './guide-content.ts'
import type { Picture } from './pictures.ts'

/** What the PDF is set from: the template for Typst, and the words and pictures that it reads. */
export function printedGuide(content: GuideContent = guideContent()) {
  const { cover, steps, version } = content
  const { lengths } = sampleRun()
  const words = {
    ...setupGuide,
    ...content,
    palette,
    brand: brand.name,
    language: brand.language,
    cover: cover && printedPicture(cover),
    steps: steps.map((step) => ({
      ...step,
      picture: step.picture && printedPicture(step.picture),
    })),
    coverCaption: `EMA ${lengths.fast} and EMA ${lengths.slow}, ${setupGuide.coverCaption}`,
    documentTitle: `${brand.name}: ${setupGuide.title}, version ${version}`,
    edition: `Version ${version}, ${content.date}. ${setupGuide.edition}`,
  }
  return {
    template: readFileSync(new URL('setup-guide.typ', import.meta.url), 'utf8'),
    words: JSON.stringify(words),
  }
}

/** On white, since a guide is printed. */
const palette: Palette = { ...light, paper: '#ffffff' }

function printedPicture({ name, svg, description }: Picture): Picture {
  const framed = svg
    .replace(/<svg ([^>]*)>/, '<svg xmlns="http://www.w3.org/2000/svg" font-family="Besley" $1>')
    // Without this margin a frame at the edge would be cut to half its width.
    .replace(/viewBox="0 0 (\S+) (\S+)"/, (_, width, height) => {
      return `viewBox="-0.5 -0.5 ${Number(width) + 1} ${Number(height) + 1}"`
    })
  return { name, svg: withValues(framed, palette), description }
}

import type { SiteContent } from '#site/site-content.ts'
import type { Colours } from '#content/palette.ts'
import { withValues } from '../chart/chart.ts'
import type { SampleRun } from '../chart/sample-run.ts'
import { guideContent } from './guide-content.ts'
import type { Picture } from './pictures.ts'

/** JSON: the words and pictures from which setup-guide.typ sets the PDF. */
export function printedGuide(content: SiteContent, script: string): string {
  const { brand, ourRun } = content
  // On white, since a guide is printed.
  const palette = { ...content.palette.light, paper: '#ffffff' }
  const { words: texts, cover, steps, version, date, ...rest } = guideContent(content, script)
  const words = {
    ...texts,
    ...rest,
    version,
    date,
    palette,
    brand: brand.name,
    language: brand.language,
    cover: cover && printedPicture(cover, palette),
    steps: steps.map((step) => ({
      ...step,
      picture: step.picture && printedPicture(step.picture, palette),
    })),
    coverCaption: ourRun && captionOf(ourRun, texts.coverCaption),
    risk: { ...texts.risk, text: content.landingPage.footer.risk },
    documentTitle: `${brand.name}: ${texts.title}, version ${version}`,
    edition: `Version ${version}, ${date}. ${texts.edition}`,
  }
  return JSON.stringify(words)
}

function captionOf({ lengths: { fast, slow } }: SampleRun, caption: string): string {
  return `EMA ${fast} and EMA ${slow}, ${caption}`
}

function printedPicture({ name, svg, description }: Picture, colours: Colours): Picture {
  const framed = svg
    .replace(/<svg ([^>]*)>/, '<svg xmlns="http://www.w3.org/2000/svg" font-family="Besley" $1>')
    // Without this margin a frame at the edge would be cut to half its width.
    .replace(/viewBox="0 0 (\S+) (\S+)"/, (_, width, height) => {
      return `viewBox="-0.5 -0.5 ${Number(width) + 1} ${Number(height) + 1}"`
    })
  return { name, svg: withValues(framed, colours), description }
}

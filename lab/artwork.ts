// `npm run artwork` draws what a build cannot draw without large tools: the run behind the charts,
// the guide, the pictures and the fonts. Commit the results with what they were drawn from. `npm
// test` fails while they are older.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Resvg } from '@resvg/resvg-js'
import { drawingCode } from './artwork/drawing-code.ts'
import { fontLicence, stillFonts, webFont } from './artwork/fonts.ts'
import { runSample, shippedScript } from './pine/pine-runner.ts'

const folder = join(import.meta.dirname, '../app/kit/artwork')

const run = await runSample(shippedScript())
await save(
  'sample-run.json',
  JSON.stringify(run, (_, value) => (typeof value === 'number' ? Number(value.toFixed(4)) : value)),
)

// The charts read the run when they are loaded.
const { artworkHashes, artworkSources } = await import('#build/share/artwork.ts')
const { typesetGuide } = await import('./artwork/typeset.ts')
const { pictureOfPage } = await import('./artwork/pdf-page.ts')
const sources = { ...artworkSources(), code: drawingCode() }
const guide = await typesetGuide(sources.guide)
await save('setup-guide.pdf', guide)
// For the landing page: the third step, which shows the chart.
await save('guide-page.png', await pictureOfPage(guide, { number: 3, width: 900 }))
await save('og.png', await drawWithText(sources['share image']))
for (const [name, width] of Object.entries({ 'icon-192': 192, 'apple-touch-icon': 180 })) {
  await save(
    `${name}.png`,
    new Resvg(sources.icon, { fitTo: { mode: 'width', value: width } }).render().asPng(),
  )
}
for (const { name, characters } of sources.fonts) {
  await save(`${name}.woff2`, await webFont(characters))
}
await save('besley-licence.txt', await fontLicence())
await save('drawn-from.json', `${JSON.stringify(artworkHashes(sources), null, 2)}\n`)

/** Resvg takes fonts from files only, and for equal weights the first. */
async function drawWithText(svg: string): Promise<Uint8Array> {
  const fonts = await mkdtemp(join(tmpdir(), 'fonts-'))
  try {
    const fontFiles: string[] = []
    for (const font of await stillFonts(svg)) {
      const file = join(fonts, `${fontFiles.length}.ttf`)
      await writeFile(file, font)
      fontFiles.push(file)
    }
    return new Resvg(svg, { font: { fontFiles, loadSystemFonts: false } }).render().asPng()
  } finally {
    await rm(fonts, { recursive: true })
  }
}

async function save(name: string, contents: string | Uint8Array): Promise<void> {
  await writeFile(join(folder, name), contents)
  console.log(`${name}  ${contents.length} bytes`)
}

// `npm run artwork` draws what a build cannot draw without large tools: the run behind the charts,
// the guide, the pictures and the fonts. Commit the results with what they were drawn from. `npm
// test` fails while they are older.
import { spawnSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { drawingCode } from './artwork/drawing-code.ts'
import { drawingFonts, fontLicence, webFont } from './artwork/fonts.ts'
import { runSample, shippedScript } from './pine/pine-runner.ts'

const folder = join(import.meta.dirname, '../app/site/artwork')

const run = await runSample(shippedScript())
await save(
  'sample-run.json',
  JSON.stringify(run, (_, value) => (typeof value === 'number' ? Number(value.toFixed(4)) : value)),
)
for (const [name, font] of Object.entries(await drawingFonts())) {
  await save(`fonts/${name}.ttf`, font)
}

// The charts read the run when they are loaded.
const { artworkHashes, artworkSources } = await import('#build/share/artwork.ts')
const { artworkTools } = await import('./artwork/artwork-tools.ts')
const { rasterize } = await import('#site/drawing/rasterize.ts')
const { ourGuidePage, pictureOfPage } = await import('#site/drawing/pdf-page.ts')
const { createTypesetter } = await import('#site/drawing/typeset.ts')
const tools = artworkTools()
const sources = { ...artworkSources(), code: drawingCode() }
const { words, mark } = sources.guide
const guide = await createTypesetter(tools).typeset(words, mark)
await save('setup-guide.pdf', guide)
await save('guide-page.png', await pictureOfPage(guide, ourGuidePage, tools))
await save('og.png', await rasterize(sources['share image'], 1200, tools))
for (const [name, width] of Object.entries({ 'icon-192': 192, 'apple-touch-icon': 180 })) {
  await save(`${name}.png`, await rasterize(sources.icon, width, tools))
}
for (const { name, characters } of sources.fonts) {
  await save(`${name}.woff2`, await webFont(characters))
}
await save('besley-licence.txt', await fontLicence())
// A pull then keeps these files, to be drawn again: .gitattributes. Elsewhere there is no repository.
spawnSync('git', ['config', 'merge.ours.driver', 'true'], { cwd: folder })
await save('drawn-from.json', `${JSON.stringify(artworkHashes(sources), null, 2)}\n`)

async function save(name: string, contents: string | Uint8Array): Promise<void> {
  await mkdir(dirname(join(folder, name)), { recursive: true })
  await writeFile(join(folder, name), contents)
  console.log(`${name}  ${contents.length} bytes`)
}

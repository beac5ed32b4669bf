// `npm run artwork` makes what needs development packages: what the charts take from the script,
// and the fonts. Commit the results. The build and the server draw the rest.
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fontFiles } from '#build/share/artwork.ts'
import { drawingFonts, fontLicence, webFont } from './artwork/fonts.ts'
import { recordScript, shippedScript } from './pine/pine-runner.ts'

const folder = join(import.meta.dirname, '../app/site/artwork')

await save('script-record.json', await recordScript(shippedScript()))
for (const [name, font] of Object.entries(await drawingFonts())) {
  await save(`fonts/${name}.ttf`, font)
}

for (const { name, characters } of fontFiles) {
  await save(`${name}.woff2`, await webFont(characters))
}
await save('besley-licence.txt', await fontLicence())

async function save(name: string, contents: string | Uint8Array): Promise<void> {
  await mkdir(dirname(join(folder, name)), { recursive: true })
  await writeFile(join(folder, name), contents)
  console.log(`${name}  ${contents.length} bytes`)
}

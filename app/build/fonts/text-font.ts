import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import subsetFont from 'subset-font'
import { drawAs } from './character-map.ts'

const ascii = Array.from({ length: 0x7f - 0x20 }, (_, index) => String.fromCharCode(0x20 + index)).join('')
const characters = `${ascii}\u00a0©·×–—‘’“”…−`

/** Besley as the page loads it: weights 400 to 600, the characters of our texts, as WOFF2. */
export async function makeTextFont(): Promise<Buffer> {
  const weights = { wght: { min: 400, max: 600 } }
  const small = await subsetFont(await besley(), characters, { targetFormat: 'sfnt', variationAxes: weights })
  // The fixed texts stay byte-exact (What's, You're) and still look typeset: ' is drawn as ’.
  drawAs(small, "'", '’')
  return subsetFont(small, characters, { targetFormat: 'woff2' })
}

/** The SIL Open Font License must be distributed with the font. */
export function readTextFontLicence(): Promise<Buffer> {
  return readPackageFile('@fontsource-variable/besley/LICENSE')
}

/** Returns these fonts as TrueType files of one weight each, for a program without WOFF2 and variable fonts. */
export async function makeStillFonts(): Promise<{ besley: Buffer[]; mono: Buffer }> {
  const variable = await besley()
  const weigh = (wght: number) =>
    subsetFont(variable, characters, { targetFormat: 'sfnt', variationAxes: { wght } })
  const mono = await readPackageFile('@fontsource/cousine/files/cousine-latin-400-normal.woff')
  return {
    besley: await Promise.all([400, 500, 600].map(weigh)),
    mono: await subsetFont(mono, ascii, { targetFormat: 'sfnt' }),
  }
}

function besley(): Promise<Buffer> {
  return readPackageFile('@fontsource-variable/besley/files/besley-latin-wght-normal.woff2')
}

function readPackageFile(name: string): Promise<Buffer> {
  return readFile(fileURLToPath(import.meta.resolve(name)))
}

import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import subsetFont from 'subset-font'
import { withCharacterMap } from './character-map.ts'

const ascii = Array.from({ length: 0x7f - 0x20 }, (_, index) => String.fromCharCode(0x20 + index)).join('')
const characters = `${ascii}\u00a0©·×–—‘’“”…−`

/** Besley as the page loads it: weights 400 to 600, the characters of our texts, as WOFF2. */
export async function makeTextFont(): Promise<Buffer> {
  const latin = await besley()
  const small = await subsetFont(latin, characters, { targetFormat: 'sfnt', variationAxes: weights })
  // The fixed texts stay byte-exact (What's, You're) and still look typeset: ' is drawn as ’.
  const typeset = withCharacterMap(small, characters, { "'": '’' })
  return subsetFont(typeset, characters, { targetFormat: 'woff2' })
}

/** One weight of Besley as TrueType, for programs that know no variable fonts. */
export async function makeStillFont(weight: number): Promise<Buffer> {
  return subsetFont(await besley(), characters, { targetFormat: 'sfnt', variationAxes: { wght: weight } })
}

const weights = { wght: { min: 400, max: 600 } }

function besley(): Promise<Buffer> {
  const file = import.meta.resolve('@fontsource-variable/besley/files/besley-latin-wght-normal.woff2')
  return readFile(fileURLToPath(file))
}

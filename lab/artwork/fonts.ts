import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import subsetFont from 'subset-font'
import { missingInDrawings } from '#site/words/checks/letters.ts'
import { drawAs } from './character-map.ts'

/** Besley as a page loads it: weights 400 to 600, as WOFF2. `characters`: a CSS unicode-range. */
export async function webFont(characters: string): Promise<Buffer> {
  const text = charactersOf(characters)
  const script = text.includes('ā') ? 'latin-ext' : 'latin'
  const weights = { wght: { min: 400, max: 600 } }
  const small = await subsetFont(await besleyIn(script), text, {
    targetFormat: 'sfnt',
    variationAxes: weights,
  })
  // The fixed texts stay byte-exact (What's, You're) and still look typeset: ' is drawn as ’.
  if (text.includes("'")) drawAs(small, "'", '’')
  return subsetFont(small, text, { targetFormat: 'woff2' })
}

/**
 * The fonts of guide and share picture, one weight each, as TrueType by the name of their file: for
 * programs without WOFF2 and variable fonts.
 */
export async function drawingFonts(): Promise<Record<string, Buffer>> {
  const letters = drawnLetters()
  const fonts: Record<string, Buffer> = {}
  for (const script of scripts) {
    for (const wght of [400, 500, 600]) {
      fonts[`besley-${script}-${wght}`] = await subsetFont(await besleyIn(script), letters, {
        targetFormat: 'sfnt',
        variationAxes: { wght },
      })
    }
    for (const weight of [400, 700]) {
      const face = await readPackageFile(
        `@fontsource/cousine/files/cousine-${script}-${weight}-normal.woff2`,
      )
      fonts[`cousine-${script}-${weight}`] = await subsetFont(face, letters, {
        targetFormat: 'sfnt',
      })
    }
  }
  return fonts
}

/** The letters that an owner may use there. */
function drawnLetters(): string {
  const letters = Array.from({ length: 0x10000 }, (_, code) => String.fromCodePoint(code))
  return letters
    .filter((letter) => letter !== '\n' && missingInDrawings(letter) === undefined)
    .join('')
}

const scripts = ['latin', 'latin-ext'] as const

function besleyIn(script: (typeof scripts)[number]): Promise<Buffer> {
  return readPackageFile(`@fontsource-variable/besley/files/besley-${script}-wght-normal.woff2`)
}

/** The SIL Open Font License must be distributed with the font. */
export function fontLicence(): Promise<Buffer> {
  return readPackageFile('@fontsource-variable/besley/LICENSE')
}

export function readPackageFile(name: string): Promise<Buffer> {
  return readFile(fileURLToPath(import.meta.resolve(name)))
}

function charactersOf(ranges: string): string {
  return ranges
    .split(',')
    .flatMap((range) => {
      const [first = 0, last = first] = range
        .replace('U+', '')
        .split('-')
        .map((code) => Number.parseInt(code, 16))
      return Array.from({ length: last - first + 1 }, (_, offset) =>
        String.fromCodePoint(first + offset),
      )
    })
    .join('')
}

import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { brand as ourBrand } from '#content/brand.ts'
import { bridges } from '#kit/bridges/bridges.ts'
import { guideOf, makeProjectFolder, scriptOf } from '#rigs/owner/doctor-site.ts'
import { askDoctor } from '#rigs/owner/doctor-terminal.ts'

const brand = `/** Signs the note, such as [Creator name]. */
export const brand = {
  creatorName: '[Creator name]',
  motto: 'as [Your own words] say', list: [Foo],
}`

function contentOf(folder: string, environment: Record<string, string> = {}) {
  return askDoctor({ environment, outside: { folder } })
}

test('a placeholder is found in any file of content/, but not in a comment', async () => {
  const folder = makeProjectFolder({ brand })
  writeFileSync(join(folder, 'content/sign-up.ts'), "export const text = { label: '[Label]' }")
  expect((await contentOf(folder)).said('content.placeholders')).toBe(
    'look Placeholders are left: "[Creator name]" (content/brand.ts, line 3), ' +
      '"[Your own words]" (content/brand.ts, line 4), "[Label]" (content/sign-up.ts, line 1).',
  )
})

test('in production a placeholder is wrong', async () => {
  const { said } = await contentOf(makeProjectFolder({ brand }), {
    NODE_ENV: 'production',
    SMTP_URL: 'smtp://127.0.0.1:1',
  })
  expect(said('content.placeholders')).toMatch(/^wrong /)
})

test('in production a missing privacy notice, imprint or postal address is named', async () => {
  const before = { ...ourBrand }
  onTestFinished(() => void Object.assign(ourBrand, { privacyUrl: '', imprintUrl: '' }, before))
  const production = { NODE_ENV: 'production', SMTP_URL: 'smtp://127.0.0.1:1' }
  const said = async () => (await contentOf(makeProjectFolder(), production)).said('content.legal-pages')
  Object.assign(ourBrand, { privacyUrl: '', imprintUrl: '' })
  expect(await said()).toBe('look content/brand.ts has no privacyUrl and no imprintUrl.')
  Object.assign(ourBrand, { privacyUrl: 'https://example.com/privacy' })
  expect(await said()).toBe('look content/brand.ts has no imprintUrl.')
  Object.assign(ourBrand, { imprintUrl: 'https://example.com/imprint' })
  expect(await said()).toMatch(/^ok /)
  Object.assign(ourBrand, { postalAddress: '' })
  expect(await said()).toBe('look content/brand.ts has no postalAddress.')
})

test('a script and a guide of the same version are ok', async () => {
  expect((await contentOf(makeProjectFolder())).said('content.kit')).toBe(
    'ok The kit is version 1.2.3 throughout.',
  )
})

test.each([
  ['the guide', { guide: guideOf('1.2.2') }, 'setup-guide.pdf says 1.2.2'],
  ['the script', { script: scriptOf('1.3.0') }, 'ema-crossover.pine says 1.3.0'],
])('%s of another version is wrong', async (_name, files, said) => {
  const found = (await contentOf(makeProjectFolder(files))).said('content.kit')
  expect(found).toMatch(/^wrong The kit's versions differ: /)
  expect(found).toContain(said)
})

test('a kit file that is missing or was changed after the build is wrong', async () => {
  const folder = makeProjectFolder()
  const script = join(folder, 'dist/kit/ema-crossover.pine')
  writeFileSync(script, 'changed')
  expect((await contentOf(folder)).said('content.kit')).toMatch(/^wrong .*was changed after the build/)
  rmSync(script)
  expect((await contentOf(folder)).said('content.kit')).toMatch(/^wrong .*is missing/)
})

test('a script that was changed after the build is wrong', async () => {
  const folder = makeProjectFolder()
  mkdirSync(join(folder, 'app/kit'), { recursive: true })
  writeFileSync(join(folder, 'app/kit/ema-crossover.pine'), scriptOf('1.3.0'))
  const said = (await contentOf(folder)).said('content.kit')
  expect(said).toBe('wrong app/kit/ema-crossover.pine was changed after the build.')
})

test("the owner's own files count instead of ours", async () => {
  const folder = makeProjectFolder({ guide: '%PDF-1.7 mine, version 9.9.9' })
  for (const name of ['content/kit', 'app/kit']) mkdirSync(join(folder, name), { recursive: true })
  for (const name of ['ema-crossover.pine', 'setup-guide.pdf'])
    copyFileSync(join(folder, 'dist/kit', name), join(folder, 'content/kit', name))
  writeFileSync(join(folder, 'app/kit/ema-crossover.pine'), scriptOf('1.0.0'))
  expect((await contentOf(folder)).said('content.kit')).toBe('ok The kit is version 1.2.3 throughout.')
  writeFileSync(join(folder, 'content/kit/ema-crossover.pine'), scriptOf('2.0.0'))
  expect((await contentOf(folder)).said('content.kit')).toMatch(
    /^wrong content\/kit\/ema-crossover\.pine was changed after the build/,
  )
})

test('a kit that is not built yet is unknown', async () => {
  const folder = makeProjectFolder()
  rmSync(join(folder, 'dist'), { recursive: true })
  expect((await contentOf(folder)).said('content.kit')).toMatch(/^unknown .*not built yet/)
})

test('formats of bridges that nobody has read for half a year are named, with the day they were read', async () => {
  const at = (day: string) =>
    askDoctor({ outside: { folder: makeProjectFolder(), now: () => Date.parse(day) } })
  const readOn = bridges[0]?.readOn ?? ''
  expect((await at(readOn)).said('content.bridges')).toBe(
    'ok The formats of the bridges were read within 180 days.',
  )
  const later = new Date(Date.parse(readOn) + 181 * 24 * 60 * 60 * 1000).toISOString()
  expect((await at(later)).said('content.bridges')).toMatch(
    new RegExp(`^look Not read again for 180 days: TradersPost \\(${readOn}\\),`),
  )
})

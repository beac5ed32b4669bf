import { expect, test } from 'vitest'
import { ourScript } from '#build/share/artwork.ts'
import { brand } from '#content/brand.ts'
import { ourContent } from '#rigs/our-content.ts'
import { releases } from '#content/releases.ts'
import { drawGuide } from '#rigs/drawn-guide.ts'
import { readPdf, tagsOf } from '#rigs/read-pdf.ts'
import { dayInWords } from '#site/text/day-in-words.ts'
import { fill } from '#site/text/fill.ts'
import { asShown } from '../kit/as-shown.ts'
import { scriptInputs } from '../kit/script-inputs.ts'

const script = asShown(ourScript())
const { setupGuide } = ourContent
const bytes = await drawGuide(ourContent, script)
const guide = await readPdf(bytes)
const text = guide.pages.map((page) => page.text).join('\n')
const names = {
  copyScript: ourContent.personalPage.script.copy,
  bridges: ourContent.personalPage.bridges.heading,
  scriptName: ourContent.fileNames.script,
}
const tags = (role: string) => guide.pages.flatMap((page) => tagsOf(page.tags, role))
const bare = (sentence: string) =>
  sentence.replaceAll(/[*`]/g, '').replaceAll('’', "'").replaceAll(/[“”]/g, '"')
const stepPages = setupGuide.steps.map((step, index) => ({ step, page: guide.pages[index + 1] }))

test('the guide has at most 12 pages and 300 kB', () => {
  expect(guide.pages.length).toBeLessThanOrEqual(12)
  expect(bytes.length).toBeLessThan(300_000)
})

test('the first page of the guide names the version of the script, and its last lists what changed in each', () => {
  const [newest] = releases
  expect(guide.pages[0]?.text).toContain(`Version ${newest?.version},`)
  expect(guide.title).toContain(`version ${newest?.version}`)
  for (const { version, date, changes } of releases) {
    for (const said of [version, dayInWords(date), ...changes]) {
      expect(guide.pages.at(-1)?.text).toContain(bare(said))
    }
  }
})

test.each(stepPages)('all the words of "$step.title" stand on its page', ({ step, page }) => {
  const said = [
    step.title,
    step.intro,
    ...step.actions,
    step.caption ?? '',
    step.youShouldSee,
    step.help,
  ]
  for (const sentence of [...said, ...(step.facts ?? []).map((fact) => fact.text)]) {
    expect(page?.text).toContain(bare(fill(sentence, names)))
  }
  const items = tagsOf(page?.tags ?? [], 'LI').map((item) => item.text)
  expect(items).toEqual(
    step.actions.map((action, index) => `${'abcdefgh'[index]} ${bare(fill(action, names))}`),
  )
})

test('the page of the third step shows the two lines, as the starter email says', () => {
  const [figure] = tagsOf(guide.pages[3]?.tags ?? [], 'Figure')
  expect(figure?.alt).toContain('Trade 2: entry at 107.09, exit at 105.97, a loss.')
  expect(guide.pages[3]?.text).toContain('Entry 2')
})

test('every input of the script is listed with its default and tooltip', () => {
  const rows = tags('TR').map(({ children }) => children.map((cell) => cell.text))
  for (const { title, default: value, tooltip } of scriptInputs(script)) {
    expect(rows).toContainEqual([title, value, tooltip])
  }
})

test('a screen reader gets title, language, headings, alternative texts, and no text without a tag', () => {
  expect(guide).toMatchObject({ language: brand.language, isTagged: true })
  expect(Buffer.from(bytes).toString('latin1')).toContain('/DisplayDocTitle true')
  expect(tags('H1').map((heading) => heading.text)).toEqual([setupGuide.title])
  expect(guide.outline.map(({ title }) => title)).toContain(setupGuide.paper.title)
  const figures = tags('Figure')
  expect(figures.length).toBeGreaterThanOrEqual(
    setupGuide.steps.filter(({ picture }) => picture).length - 2,
  )
  for (const { alt } of figures) expect(alt.length).toBeGreaterThan(40)
  expect(guide.pages.flatMap(({ untagged }) => untagged)).toEqual([])
})

test('every line keeps to its page, and every link leads somewhere and says where', () => {
  for (const { lowest, rightmost, links } of guide.pages) {
    expect(lowest).toBeGreaterThan(24)
    expect(rightmost).toBeLessThan(596)
    for (const { to, says } of links) {
      expect(to).toMatch(/^(#|https:\/\/)/)
      expect(says).not.toBe('')
    }
  }
})

test('the guide repeats the risk warning of the landing page', () => {
  expect(text).toContain(ourContent.landingPage.footer.risk)
})

test('too many words for a page are told to the owner', async () => {
  const { setupGuide: words } = ourContent
  const intro = 'A sentence that fills a line of the page, and more. '.repeat(25)
  const steps = words.steps.map((step) => ({ ...step, intro }))
  const content = { ...ourContent, setupGuide: { ...words, steps } }
  const set = drawGuide(content, script)
  await expect(set).rejects.toThrow(
    /^The guide's page 'Open the Pine Editor' is \d+ lines too long/,
  )
  await expect(set).rejects.toHaveProperty('name', 'ContentError')
})

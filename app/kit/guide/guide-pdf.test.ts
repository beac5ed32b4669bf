import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { brand } from '#content/brand.ts'
import { kit } from '#content/kit.ts'
import { footer } from '#content/pages/landing-page.ts'
import { dayInWords, releases, whatChanged } from '#content/releases.ts'
import { setupGuide } from '#content/setup-guide.ts'
import { scriptRelease } from '../kit-files.ts'
import { scriptInputs } from '../script-inputs.ts'
import { messageFor } from '../bridges/bridge.ts'
import { bridges } from '../bridges/bridges.ts'
import { guideContent, stepsMustFollowEachOther } from './guide-content.ts'
import { typesetGuide } from '#lab/artwork/typeset.ts'
import { printedGuide } from './printed-guide.ts'
import { readPdf, tagsOf, type ReadPage, type ReadPdf } from '#rigs/read-pdf.ts'
import { shippedScript } from '#lab/pine/shipped-script.ts'

const stepPages = setupGuide.steps.map((step, index) => ({ step, page: index + 2 }))
const bare = (sentence: string) => sentence.replaceAll(/[*`]/g, '')

// Typst takes about a second, and several on a busy machine.
const timeout = 60_000

// With a script of the owner's own, everything that shows a run of ours is left out: own-kit.isolated.test.tsx.
describe.skipIf(kit.script.isYourOwn)('the setup guide of our script as a PDF', { timeout }, () => {
  let bytes: Uint8Array
  let guide: ReadPdf
  const page = (number: number): ReadPage => guide.pages[number - 1]!

  beforeAll(async () => {
    bytes = await typesetGuide()
    guide = await readPdf(bytes)
  }, timeout)

  it('has the same bytes in every build', async () => {
    expect(Buffer.from(await typesetGuide()).equals(bytes)).toBe(true)
  })

  it('is smaller than 300 kB', () => {
    expect(bytes.length).toBeLessThan(300_000)
  })

  it('embeds its five fonts', () => {
    expect(
      Buffer.from(bytes)
        .toString('latin1')
        .match(/\/FontFile2 /g),
    ).toHaveLength(5)
  })

  it('has a cover, a page for each step, and five pages after them', () => {
    const before = Array.from({ length: stepPages.length + 4 }, (_, index) => index + 1)
    const begins = [...before, before.length + 2]
    expect(guide.outline.map(({ page: at }) => at)).toEqual(begins)
    expect(guide.pages).toHaveLength(begins.at(-1)!)
    expect(guide.outline.map(({ title }) => title)).toEqual([
      setupGuide.title,
      ...setupGuide.steps.map(({ title }, index) => `${index + 1} ${title}`),
      setupGuide.paper.title,
      setupGuide.inputs.title,
      setupGuide.messages.title,
      setupGuide.versions.title,
    ])
  })

  it('shows the two lines on page 4, as the starter email says', () => {
    const [figure] = tagsOf(page(4).tags, 'Figure')
    expect(figure?.alt).toContain(setupGuide.crossingDrawing)
    expect(page(4).text).toContain('Entry 2')
  })

  it('has a title that viewers show, a language, and tags', () => {
    expect(guide).toMatchObject({ language: brand.language, isTagged: true })
    expect(guide.title).toContain(setupGuide.title)
    expect(Buffer.from(bytes).toString('latin1')).toContain('/DisplayDocTitle true')
  })

  it('is tagged with the language of its words', async () => {
    const language = brand.language
    onTestFinished(() => void Object.assign(brand, { language }))
    Object.assign(brand, { language: 'pt-BR' })
    expect(await readPdf(await typesetGuide())).toMatchObject({ language: 'pt-BR' })
  })

  it('has the version of the script on its cover and in its title', async () => {
    const { version } = scriptRelease(shippedScript())
    expect(page(1).text).toContain(`Version ${version},`)
    const later = shippedScript().replace(`// Version ${version}`, '// Version 47.11.0')
    const laterGuide = await readPdf(await typesetGuide(printedGuide(guideContent(later, []))))
    expect(laterGuide.title).toContain('47.11.0')
    expect(laterGuide.pages[0]?.text).toContain('Version 47.11.0,')
  })

  it.each(stepPages)('has all the words of step "$step.title" on page $page', ({ step, page: number }) => {
    const { text } = page(number)
    const said = [step.title, step.intro, ...step.actions, step.caption ?? '', step.youShouldSee, step.help]
    for (const sentence of [...said, ...(step.facts ?? []).map((fact) => fact.text)]) {
      expect(text).toContain(bare(sentence))
    }
  })

  it('has one H1 on the cover, and one H2 on each page that begins a section', () => {
    expect(guide.pages.flatMap(({ tags }) => tagsOf(tags, 'H1')).map(({ text }) => text)).toEqual([
      setupGuide.title,
    ])
    expect(guide.pages.slice(1).map(({ tags }) => tagsOf(tags, 'H2').length)).toEqual([
      ...Array.from({ length: stepPages.length + 3 }, () => 1),
      0,
      1,
    ])
  })

  it.each(stepPages)('tags the actions on page $page as a list', ({ step, page: number }) => {
    const items = tagsOf(page(number).tags, 'LI')
    expect(items.map(({ children }) => children.map(({ role }) => role))).toEqual(
      step.actions.map(() => ['Lbl', 'LBody']),
    )
    expect(items.map(({ text }) => text)).toEqual(
      step.actions.map((action, index) => `${'abcdefgh'[index]} ${bare(action)}`),
    )
  })

  it('has an alternative text for every figure', () => {
    const figures = guide.pages.flatMap(({ tags }) => tagsOf(tags, 'Figure'))
    expect(figures).toHaveLength(1 + setupGuide.steps.filter(({ picture }) => picture).length)
    for (const figure of figures) {
      expect(figure.alt.length).toBeGreaterThan(40)
    }
  })

  it('shows the exact message for every service', () => {
    const pages = guide.pages.slice(stepPages.length + 3)
    const codes = pages.flatMap(({ tags }) => tagsOf(tags, 'Code').map(({ text }) => text))
    const words = pages.map(({ text }) => text).join('\n')
    for (const bridge of bridges) {
      const message = messageFor(bridge)
      if (message !== undefined) expect(codes).toContain(message.replaceAll(/\s+/g, ' '))
      expect(words).toContain(bridge.sourceTitle ?? `${setupGuide.messages.source} ${bridge.name}`)
    }
    const [, arrives] = codes
    expect(JSON.parse(arrives ?? '')).toMatchObject({ action: 'buy', sentiment: 'long' })
  })

  it('has no text outside tags and artifacts', () => {
    expect(guide.pages.flatMap(({ untagged }) => untagged)).toEqual([])
  })

  it('keeps every line on its page', () => {
    for (const { lowest, rightmost } of guide.pages) {
      expect(lowest).toBeGreaterThan(24)
      expect(rightmost).toBeLessThan(596)
    }
  })

  it('lists every input of the script with its default and tooltip', () => {
    const rows = tagsOf(page(stepPages.length + 3).tags, 'TR').map(({ children }) =>
      children.map(({ text }) => text),
    )
    const expected = scriptInputs(shippedScript()).map((input) => [input.title, input.default, input.tooltip])
    expect(rows).toEqual([[...setupGuide.inputs.columns], ...expected])
  })

  it('lists every version with its day and its changes on the last page', () => {
    const text = guide.pages.at(-1)?.text
    for (const { version, date, changes } of releases)
      for (const said of [version, dayInWords(date), ...changes]) expect(text).toContain(bare(said))
    expect(text).toContain(whatChanged.firstVersion)
  })

  it('shows the default lengths of the given script', async () => {
    const longer = shippedScript()
      .replace('input.int(9,', 'input.int(12,')
      .replace('input.int(21,', 'input.int(34,')
    const { pages } = await readPdf(await typesetGuide(printedGuide(guideContent(longer))))
    const rows = tagsOf(pages[3]?.tags ?? [], 'TR').map(({ children }) => children[1]?.text)
    expect(rows).toEqual(['Length', '12', '34'])
  })

  it('has links with a target and a description', () => {
    const links = guide.pages.flatMap((each) => each.links)
    expect(links.filter(({ to }) => to.startsWith('#')).map(({ to }) => to)).toEqual([
      ...setupGuide.steps.map(({ id }) => `#${id}`),
      `#${setupGuide.paper.id}`,
      `#${setupGuide.inputs.id}`,
      `#${setupGuide.messages.id}`,
    ])
    for (const { to, says } of links) {
      expect(to).toMatch(/^(#|https:\/\/)/)
      expect(says).not.toBe('')
    }
  })

  it('repeats the risk warning of the landing page', () => {
    expect(page(stepPages.length + 2).text).toContain(footer.risk)
  })
})

describe('a guide that cannot be set', { timeout }, () => {
  it('with too many words on a page stops the build with a sentence for the owner', async () => {
    const content = guideContent()
    const [first, ...others] = content.steps
    if (!first) throw new Error('The guide has no step')
    const long = {
      ...first,
      intro: 'A sentence that fills a line of the page, and then some more. '.repeat(20),
    }
    const set = typesetGuide(printedGuide({ ...content, steps: [long, ...others] }))
    await expect(set).rejects.toThrow(/^The guide's page 'Open the Pine Editor' is \d+ lines too long/)
    await expect(set).rejects.toHaveProperty('name', 'ContentError')
  })

  it.each([
    [0, 0],
    [1, 11],
    [0.5, 2],
    [3, 2],
  ])('with a step from minute %d to %d after one that ends at 1 is refused', (minute, untilMinute) => {
    const steps = [{ title: 'First', minute: 0, untilMinute: 1 }]
    expect(() => stepsMustFollowEachOther(steps)).not.toThrow()
    expect(() => stepsMustFollowEachOther([...steps, { title: 'Second', minute, untilMinute }])).toThrow(
      'step "Second"',
    )
  })
})

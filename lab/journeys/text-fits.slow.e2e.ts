import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { bridges } from '#site/kit/bridges/bridges.ts'
import { personalPage } from '#content/pages/personal-page.ts'
import { signUp as signUpWords } from '#content/pages/sign-up.ts'
import { heroForm, signUp, startJourney } from './journey.ts'

const journey = startJourney()

/** As long as an address may be, without a place to break a line. */
const longAddress = `${'w'.repeat(60)}@${'m'.repeat(60)}.example.com`

const phones = [320, 390]

/** From the narrowest phone to the full sheet, and a large screen. */
const widths = [...Array.from({ length: 29 }, (_, index) => 320 + 40 * index), 1920]

test('at widths from 320 to 1920 px all text of the landing page is inside its box', async () => {
  const page = await journey.visit('/')
  await expectTextToFit(page, widths)
})

test('at these widths the 404 page and the answer to a plain form have their text inside its box', async () => {
  const page = await journey.visit('/nowhere')
  await expectTextToFit(page, widths)
  const { kit } = await journey.signUpByPost()
  for (const end of ['/unsubscribe', '/block', '/announcements']) {
    await page.goto(kit + end)
    await expectTextToFit(page, [320, 390, 768, 1112, 1440])
  }
})

test('the personal page with every part open has its text inside its box at these widths', async () => {
  const { kit } = await journey.signUpByPost(longAddress)
  const page = await journey.visit(kit)
  await openAllParts(page)
  await page.getByLabel(/^Show all/).check()
  await expectTextToFit(page, widths)
})

test('no bridge makes the personal page wider than the screen, in either position of the switch and with the longest words', async () => {
  const { kit } = await journey.signUpByPost(longAddress)
  const page = await journey.visit(kit)
  const switchTo = (name: string) =>
    page.getByRole('group', { name: personalPage.bridges.exits.legend }).getByLabel(name)
  for (const { name, withExits } of bridges) {
    await page.getByRole('radio', { name }).check()
    for (const position of [personalPage.bridges.exits.off, personalPage.bridges.exits.on]) {
      if (withExits) await switchTo(position).check()
      for (const field of await page.locator('.bridge-fields input.field:visible').all()) {
        await field.fill('9'.repeat(40))
      }
      await expectTextToFit(page, [320, 390, 1112], `${name}, ${position}`)
    }
  }
})

test.each([24, 32])(
  'with text of %i px neither the page, the note nor the personal page is wider than a phone',
  async (textSize) => {
    const page = await journey.visit('/')
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Page.setFontSizes', { fontSizes: { standard: textSize } })
    await page.setViewportSize({ width: 320, height: 900 })
    expect(await brokenWords(page)).toEqual([])
    await signUp(heroForm(page), 'nobody')
    await page.getByText(signUpWords.invalid).waitFor()
    await expectTextToFit(page, phones, 'a wrong address')
    await signUp(heroForm(page), longAddress)
    await page.locator('.note-heading').waitFor()
    await expectTextToFit(page, phones, 'the note')
    await page.setViewportSize({ width: 320, height: 900 })
    expect(await page.locator('.tag').first().evaluate(roomAfterText)).toBeGreaterThan(10)
    const { kit } = await journey.signUpByPost()
    for (const end of ['/unsubscribe', '/block', '/announcements', '/nowhere']) {
      await page.goto(kit + end)
      await expectTextToFit(page, phones, end)
    }
    await page.goto('/nowhere')
    expect(await brokenWords(page)).toEqual([])
    await page.goto(kit)
    await openAllParts(page)
    for (const { name } of bridges) {
      await page.getByRole('radio', { name }).check()
      await expectTextToFit(page, [320], name)
    }
  },
)

/** The words of the headings that stand on two lines, but for those with a hyphen. */
function brokenWords(page: Page): Promise<string[]> {
  return page.locator('h1, h2').evaluateAll((headings) =>
    headings.flatMap((heading) => {
      const words: string[] = []
      const texts = document.createTreeWalker(heading, NodeFilter.SHOW_TEXT)
      while (texts.nextNode()) {
        const text = texts.currentNode
        for (const { 0: word, index } of (text.textContent ?? '').matchAll(/[^\s-]+/g)) {
          const range = document.createRange()
          range.setStart(text, index)
          range.setEnd(text, index + word.length)
          const tops = new Set(Array.from(range.getClientRects(), ({ top }) => Math.round(top)))
          if (tops.size > 1) words.push(word)
        }
      }
      return words
    }),
  )
}

/** In the page: from the end of its text to that of the element, in px. */
function roomAfterText(element: Element): number {
  const text = document.createRange()
  text.selectNodeContents(element)
  return element.getBoundingClientRect().right - text.getBoundingClientRect().right
}

/** Opens what is folded on the personal page. */
async function openAllParts(page: Page) {
  await page
    .locator('details')
    .evaluateAll((parts: HTMLDetailsElement[]) => parts.forEach((part) => (part.open = true)))
}

async function expectTextToFit(page: Page, atWidths: readonly number[], state = '') {
  const faults: string[] = []
  for (const width of atWidths) {
    await page.setViewportSize({ width, height: 900 })
    const outside = await page.evaluate(textOutsideItsBox)
    faults.push(...outside.map((words) => `${state} ${width} px: ${words}`))
    const scrollWidth = await page.evaluate(() => document.documentElement.scrollWidth)
    if (scrollWidth > width) faults.push(`${state} ${width} px: the page is ${scrollWidth} px wide`)
  }
  expect(faults.slice(0, 20)).toEqual([])
}

/**
 * In the page: each word that ends outside a box around it. Up and down it is measured at its
 * middle, because letters may be taller than their line.
 */
function textOutsideItsBox(): string[] {
  interface Box {
    element: Element
    rect: DOMRect
    /** It cuts its text off at its end. */
    isCutting: boolean
    /** It is meant to be wider than what it is in, as far as the axis. */
    isWide: boolean
  }
  // A word asks for the same boxes as the one before it.
  const known = new Map<Element, Box | undefined>()
  const found: string[] = []
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const element = text.parentElement
    if (!element || !text.nodeValue?.trim() || element.closest('svg, .unseen, .skip')) continue
    if (!element.checkVisibility({ visibilityProperty: true })) continue
    const around = boxesAround(element)
    const whole = document.createRange()
    whole.selectNodeContents(text)
    const lines = Array.from(whole.getClientRects())
    if (!lines.some((line) => boxOutside(around, line))) continue // so all its words are inside
    for (const word of text.nodeValue.matchAll(/\S+/g)) {
      const range = document.createRange()
      range.setStart(text, word.index)
      range.setEnd(text, word.index + word[0].length)
      for (const line of range.getClientRects()) {
        const outside = boxOutside(around, line)
        if (outside) found.push(`${word[0].slice(0, 40)} in ${outside}`)
      }
    }
  }
  return [...new Set(found)]

  /** The innermost first. */
  function boxesAround(start: Element): Box[] {
    const boxes: Box[] = []
    for (
      let element: Element | null = start;
      element && element !== document.body;
      element = element.parentElement
    ) {
      if (!known.has(element)) known.set(element, boxOf(element))
      const box = known.get(element)
      if (box) boxes.push(box)
      // What is fixed to the screen, such as a toast, stands in no box of the page.
      if (getComputedStyle(element).position === 'fixed') break
    }
    return boxes
  }

  function boxOf(element: Element): Box | undefined {
    const style = getComputedStyle(element)
    if (style.display === 'inline' || style.display === 'contents') return undefined
    return {
      element,
      rect: element.getBoundingClientRect(),
      isCutting: style.overflowY !== 'visible',
      isWide: Number.parseFloat(style.marginRight) < 0,
    }
  }

  function boxOutside(boxes: readonly Box[], line: DOMRect): string | undefined {
    if (line.width === 0) return undefined
    const middle = (line.top + line.bottom) / 2
    let isCut = false
    for (const { element, rect, isCutting, isWide } of boxes) {
      const isBeside = line.left < rect.left - 1 || line.right > rect.right + 1
      const isBelow = middle < rect.top || middle > rect.bottom
      // Text that a box cuts off is printed over nothing, such as the closed listing.
      isCut ||= isCutting
      if (isBeside || (isBelow && !isCut)) return `${element.tagName}.${element.className}`
      if (isWide) return undefined
    }
    return undefined
  }
}

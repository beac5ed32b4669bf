import type { BrowserContext, Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { finishAnimations, startJourney, violations } from './journey.ts'

const journey = startJourney({}) // without an owner

/** Opens the link that the first start prints. Resolves when the next press takes the desk. */
async function openStartLink(): Promise<Page> {
  const page = await journey.open()
  const link = () => /\S+\/desk\/start#\S+/.exec(journey.product.printed())?.[0] ?? ''
  await expect.poll(link).not.toBe('')
  await page.goto(link())
  await page.locator('input[type=email]').fill('owner@example.com')
  return page
}

/** Signed in, at a part of the view Page. */
async function openPage(path = 'page', who = 'owner'): Promise<Page> {
  const page = await journey.openAgain(who, {}, signIn)
  await page.goto(`/desk/${path}`)
  return page
}

/** Goes to a text of the view Page in the page that stays open, which loads nothing anew. */
async function goToText(path: string): Promise<Page> {
  const page = await journey.samePage('owner', {}, signIn)
  await page.goto(`/desk/page#${path}`)
  await fieldOf(page, path).waitFor()
  return page
}

type Session = Awaited<ReturnType<BrowserContext['storageState']>>
/** The link works once. */
let session: Session | undefined

async function signIn(context: BrowserContext): Promise<void> {
  if (!session) {
    const first = await openStartLink()
    await first.getByRole('button', { name: 'Continue' }).click()
    await first.getByRole('link', { name: 'Page', exact: true }).waitFor()
    session = await first.context().storageState()
  }
  await context.addCookies(session.cookies)
}

function fieldOf(page: Page, path: string) {
  return page.locator(`[name="${path}"]`)
}

function previewOf(page: Page) {
  return page.frameLocator('iframe[title=Preview]')
}

async function saved(page: Page): Promise<void> {
  await page
    .getByRole('status')
    .filter({ hasText: /^Saved$/ })
    .waitFor()
}

const headline = 'landingPage.hero.heading.0'
test('a text that does not fit says so at its field, stops publishing, and is led to', async () => {
  const page = await goToText(headline)
  await fieldOf(page, headline).fill('Longer than the thirty letters that have room')
  await page.getByText('It has 45 letters; 30 have room.').waitFor()
  expect(await fieldOf(page, headline).getAttribute('aria-invalid')).toBe('true')
  expect(await page.getByRole('button', { name: 'Publish', exact: true }).isDisabled()).toBe(true)
  await page.getByRole('link', { name: 'Heading, first line' }).click()
  await page.locator(`[name="${headline}"]:focus`).waitFor()
  await page.getByRole('button', { name: 'Put back' }).first().click()
  await page.getByText('It has 45 letters').waitFor({ state: 'detached' })
  await saved(page)
})

test('a link to a text reaches it, from another view and from the same one', async () => {
  const page = await openPage('ready/words')
  await fieldOf(page, headline).fill('Longer than the thirty letters that have room')
  await page.getByRole('link', { name: 'Heading, first line' }).click()
  await page.locator('iframe[title=Preview]').waitFor()
  await page.locator(`[name="${headline}"]:focus`).waitFor()
  await staysInSight(fieldOf(page, headline))
  await page.getByRole('button', { name: 'Put back' }).first().click()
  const part = page
    .getByRole('navigation', { name: 'Texts' })
    .getByRole('link', { name: 'Colours' })
  for (let presses = 0; presses < 2; presses += 1) {
    await part.first().click()
    await staysInSight(fieldOf(page, 'palette.light.paper'))
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
  }
  await page.goBack()
  await staysInSight(fieldOf(page, headline))
})

test('the texts that most owners change come first, and a search finds all others', async () => {
  const page = await openPage()
  for (const path of ['kit.rule', 'landingPage.hero.lede', 'brand.postalAddress']) {
    await fieldOf(page, path).waitFor()
  }
  await fieldOf(page, 'landingPage.closingCall.promise').waitFor({ state: 'detached' })
  await page.locator('input[type=search]').fill('no spam')
  await page.getByRole('link', { name: 'Bottom section, Promise' }).click()
  await fieldOf(page, 'landingPage.closingCall.promise').waitFor()
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/desk/page')
  await fieldOf(page, 'kit.rule').waitFor()
})

test('a mistyped part of the view shows the texts', async () => {
  const page = await openPage('page#%')
  await page.getByRole('navigation', { name: 'Texts' }).waitFor()
})

/** The browser may scroll once more after a navigation. */
async function staysInSight(field: Locator): Promise<void> {
  const isInSight = () =>
    field.evaluate(async (element) => {
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
      const { top, bottom } = element.getBoundingClientRect()
      return top >= 0 && bottom <= innerHeight
    })
  await expect.poll(isInSight).toBe(true)
  expect(await isInSight()).toBe(true)
}

test('what the desk could not save is kept in the browser, and saved after a reload', async () => {
  const page = await openPage(`page#brand.tagline`)
  await page.route('**/desk/api/page.save*', (route) => route.abort())
  await fieldOf(page, 'brand.tagline').fill('Typed in a tunnel')
  await page.getByText('Not saved. It is kept in this browser').waitFor()
  page.on('dialog', (dialog) => void dialog.accept())
  await page.unroute('**/desk/api/page.save*')
  // The draft is asked for before the kept text is saved, and answered after it. A tab that is
  // hidden does not ask again by itself.
  await page.addInitScript(() =>
    Object.defineProperty(document, 'visibilityState', { value: 'hidden' }),
  )
  const isSaved = page.waitForResponse('**/desk/api/page.save*')
  await page.route('**/desk/api/page.show*', async (route) => {
    await isSaved
    await route.continue().catch(() => {}) // the view does not wait for it any more
  })
  await page.reload()
  await saved(page)
  const other = await openPage('page#brand.tagline', 'owner on a phone')
  await expect.poll(() => fieldOf(other, 'brand.tagline').inputValue()).toBe('Typed in a tunnel')
})

test('of two devices the later one shows both texts, and saves mine once I keep it', async () => {
  const path = 'starterEmail.heading'
  const laptop = await goToText(path)
  const phone = await openPage(`page#${path}`, 'owner on a phone')
  await fieldOf(phone, path).waitFor()
  // A phone that asked in between would know what the laptop says.
  await phone.route('**/desk/api/page.show*', (route) => route.abort())
  await fieldOf(laptop, path).fill('From the laptop')
  await saved(laptop)
  await fieldOf(phone, path).fill('From the phone')
  const choice = phone.getByRole('alert').filter({ hasText: 'on another device' })
  await choice.getByText('From the laptop').waitFor()
  await choice.getByText('From the phone').waitFor()
  await phone.getByRole('button', { name: 'Keep mine' }).click()
  await saved(phone)
  await laptop.reload()
  await expect.poll(() => fieldOf(laptop, path).inputValue()).toBe('From the phone')
})

test('on a phone a chosen field stays on the screen, and the preview goes to its place', async () => {
  const phone = await openPage('page#landingPage.hero.lede')
  await phone.setViewportSize({ width: 390, height: 844 })
  const field = fieldOf(phone, 'landingPage.creatorNote.paragraphs.0')
  await previewOf(phone).locator('h1').waitFor({ state: 'attached' })
  await field.click()
  const box = await field.boundingBox()
  expect(box?.x).toBeGreaterThanOrEqual(0)
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390)
  const shown = previewOf(phone).getByText(await field.inputValue())
  await phone.getByText('Preview', { exact: true }).first().click()
  const isOnTheScreen = () =>
    shown.evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect()
      return top >= 0 && bottom <= document.documentElement.clientHeight
    })
  await expect.poll(isOnTheScreen).toBe(true)
  await phone.getByText('Texts', { exact: true }).first().click()
  await staysInSight(field)
})

test('a text is typed over in the preview: its field shows the same, Escape reverts, Enter keeps', async () => {
  const path = 'landingPage.hero.reassurance'
  const page = await goToText(path)
  const shown = previewOf(page).locator(`[data-path="${path}"]`)
  const before = await shown.innerText()
  await shown.click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('No card')
  await expect.poll(() => fieldOf(page, path).inputValue()).toBe('No card')
  await page.keyboard.press('Escape')
  await expect.poll(() => fieldOf(page, path).inputValue()).toBe(before)
  expect(await shown.innerText()).toBe(before)

  await shown.click()
  await page.keyboard.press('ControlOrMeta+a')
  await pasteInto(page, shown)
  await page.keyboard.press('Enter')
  await saved(page)
  expect(await shown.getAttribute('contenteditable')).toBeNull()
  await page.reload()
  await shown.getByText('One bold line', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Put back' }).first().click()
  await saved(page)
})

/** Pastes text with markup, and a line break. */
async function pasteInto(page: Page, shown: Locator): Promise<void> {
  await shown.evaluate((element) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/html', '<b style="color:red">One bold</b><p>line</p>')
    clipboardData.setData('text/plain', 'One bold\nline')
    const paste = { clipboardData, bubbles: true, cancelable: true }
    element.dispatchEvent(new ClipboardEvent('paste', paste))
  })
  await expect
    .poll(() => fieldOf(page, 'landingPage.hero.reassurance').inputValue())
    .toBe('One bold line')
}

test('the letters of an input method are kept once its word is done', async () => {
  const path = 'landingPage.hero.reassurance'
  const page = await openPage()
  const shown = previewOf(page).locator(`[data-path="${path}"]`)
  await shown.click()
  await page.keyboard.press('ControlOrMeta+a')
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Input.imeSetComposition', { text: 'に', selectionStart: 1, selectionEnd: 1 })
  expect(await fieldOf(page, path).inputValue()).not.toContain('に')
  await devtools.send('Input.insertText', { text: '日本' })
  await expect.poll(() => fieldOf(page, path).inputValue()).toBe('日本')
  await page.keyboard.press('Escape')
  await saved(page)
})

test('a press on a text with a value in it leads to its field', async () => {
  const path = 'landingPage.whatsIncluded.script.text'
  const page = await goToText('landingPage.hero.lede')
  await previewOf(page).locator(`[data-path="${path}"]`).click()
  await page.locator(`[name="${path}"]:focus`).waitFor()
  await staysInSight(fieldOf(page, path))
})

test('an entry of a list is added and moved up, and the focus follows it', async () => {
  const list = 'starterEmail.steps'
  const page = await goToText(`${list}.0`)
  const box = page.locator(`[data-path="${list}"]`)
  await box.getByRole('button', { name: 'Add' }).waitFor()
  const before = await box.locator('textarea:not([aria-hidden]), input').count()
  await box.getByRole('button', { name: 'Add' }).click()
  await page.locator(`[name="${list}.${before}"]:focus`).fill('The newest step.')
  await box.getByRole('button', { name: 'Move up' }).last().click()
  await page.locator(`[name="${list}.${before - 1}"]:focus`).waitFor()
  expect(await fieldOf(page, `${list}.${before - 1}`).inputValue()).toBe('The newest step.')
  await box
    .getByRole('button', { name: 'Remove' })
    .nth(before - 1)
    .click()
  await page.getByRole('button', { name: 'Undo' }).waitFor()
  await saved(page)
})

test('a photo from a phone becomes a small PNG', async () => {
  const page = await openPage('ready/you')
  const buffer = Buffer.from(await page.evaluate(takePhoto))
  const photo = { name: 'me.jpg', mimeType: 'image/jpeg', buffer }
  await page.locator('input[name=portrait]').setInputFiles(photo)
  const row = page.getByRole('region', { name: 'A picture of you' })
  const shown = row.getByRole('img')
  expect(await shown.getAttribute('src')).toMatch(/^data:image\/png;/)
  const size = (image: SVGElement | HTMLElement) => {
    const { naturalWidth, naturalHeight } = image as HTMLImageElement
    return [naturalWidth, naturalHeight]
  }
  expect(await shown.evaluate(size)).toEqual([192, 256])
  await page.locator('input[name=portrait]').setInputFiles({ ...photo, buffer: Buffer.from('?') })
  await row.getByText('The picture cannot be read.').waitFor()
  await row.getByRole('button', { name: 'Remove' }).click()
  await shown.waitFor({ state: 'detached' })
})

test('a blank line in what changed in a script is no change', async () => {
  const page = await openPage()
  // As with a second version of the owner's own script.
  await page.route('**/desk/api/page.show*', async (route) => {
    const response = await route.fetch()
    const json = await response.json()
    const { data } = json.result
    const release = { date: '2026-11-30', changes: [] }
    data.scriptVersion = { version: '1.1.0', date: release.date }
    data.files.script.isOwn = true
    data.texts.releases = ['1.1.0', '1.0.0'].map((version) => ({ ...release, version }))
    await route.fulfill({ response, json })
  })
  const sent: unknown[] = []
  await page.route('**/desk/api/page.save*', async (route) => {
    sent.push(route.request().postDataJSON().texts[0].value[0].changes)
    await route.abort()
  })
  await page.goto('/desk/page/files')
  await fieldOf(page, 'releases.0.changes').fill('Faster.\n\nA stop.\n')
  await fieldOf(page, 'releases.0.changes').blur()
  await expect.poll(() => sent.at(-1)).toEqual(['Faster.', 'A stop.'])
  await page.unrouteAll()
})

/** In the page: the bytes of a JPEG as upright phones take them. */
async function takePhoto(): Promise<number[]> {
  const canvas = new OffscreenCanvas(1500, 2000)
  canvas.getContext('2d')?.fillRect(0, 0, 750, 1000)
  const photo = await canvas.convertToBlob({ type: 'image/jpeg' })
  return [...new Uint8Array(await photo.arrayBuffer())]
}

test('nothing of a text runs in the preview', async () => {
  const page = await goToText('landingPage.hero.lede')
  const words = '<img src=x onerror=top.hacked=1>'
  await fieldOf(page, 'landingPage.hero.lede').fill(words)
  await previewOf(page).getByText(words).first().waitFor()
  expect(await page.evaluate('window.hacked')).toBeUndefined()
  await page.getByRole('button', { name: 'Put back' }).first().click()
  await saved(page)
})

test('the view, the difference and the files have no violation of WCAG', async () => {
  const page = await openPage('page#landingPage.hero.lede')
  for (const path of ['page#landingPage.hero.lede', 'page/files', 'page/publish']) {
    await page.goto(`/desk/${path}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await finishAnimations(page)
    const found = (await violations(page)).filter((violation) => !violation.includes('iframe'))
    expect(found, path).toEqual([])
  }
})

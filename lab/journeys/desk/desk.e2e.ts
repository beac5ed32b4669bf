import { expect, test } from 'vitest'
import { deskOf, typeCode, watchCalls, check, shownHeading, setVisible } from './desk-journey.ts'
import { complaintsOf, owner, startJourney } from '../journey.ts'

const journey = startJourney()
const desk = deskOf(journey)

test('the owner signs in by a mailed code at any view, and out', async () => {
  const page = await journey.open()
  await page.goto('/desk/people')
  const code = await desk.newCode(() =>
    page.getByRole('button', { name: 'Send me a code' }).click(),
  )
  await typeCode(page, code)
  await page.getByRole('heading', { name: 'on the list' }).waitFor()
  await page.getByRole('link', { name: 'You', exact: true }).click()
  await page.getByRole('heading', { name: owner }).waitFor()
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.getByRole('button', { name: 'Send me a code' }).waitFor()
})

test('a passkey made at the desk opens it again without a mail', async () => {
  const page = await journey.open()
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const options = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true } as const
  const verified = {
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  }
  await devtools.send('WebAuthn.addVirtualAuthenticator', { options: { ...options, ...verified } })
  await desk.signIn(page)
  await page.getByRole('link', { name: 'You', exact: true }).click()
  await page.getByRole('button', { name: 'Make a passkey' }).click()
  await page.getByRole('button', { name: /^Remove: / }).waitFor()
  await page.context().clearCookies()
  await page.goto('/desk')
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await page.getByRole('link', { name: 'Today' }).waitFor()
})

test('a person is found by a part of the address, which gets into no URL', async () => {
  await desk.signUp('grace.hopper@example.com')
  await desk.signUp('someone.else@example.com')
  const page = await journey.open()
  const urls: string[] = []
  page.on('request', (request) => urls.push(request.url()))
  page.on('framenavigated', (frame) => urls.push(frame.url()))
  await desk.signIn(page)
  await page.getByRole('link', { name: 'People' }).click()
  await page.getByText('someone.else@').waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('HOPPER')
  await page.getByText('someone.else@').waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'grace.hopper@example.com' }).press('Enter')
  await page.getByRole('heading', { name: 'grace.hopper@example.com' }).waitFor()
  expect(urls.filter((url) => /hopper/i.test(url))).toEqual([])
})

test('a person is erased after a confirmation', async () => {
  await desk.signUp('erase.me@example.com')
  const page = await desk.openDesk('people')
  await page.getByRole('link', { name: 'erase.me@example.com' }).click()
  await page.getByRole('button', { name: 'Erase this person' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Erase this person' }).click()
  await page.getByRole('button', { name: 'Erase for good' }).click()
  await page.getByText(/^Erased\./).waitFor()
  await page.getByRole('heading', { name: 'on the list' }).waitFor()
  await page.getByRole('link', { name: 'erase.me@example.com' }).waitFor({ state: 'detached' })
})

test('a session that is over asks for a code over the view, and what was typed stays', async () => {
  const page = await desk.openDesk('people', { isNew: true })
  await shownHeading(page)
  await page.context().clearCookies()
  await page.getByRole('searchbox').fill('exam')
  const dialog = page.getByRole('dialog', { name: 'You were signed out' })
  const code = await desk.newCode(() =>
    dialog.getByRole('button', { name: 'Send me a code' }).click(),
  )
  await typeCode(page, code)
  await dialog.waitFor({ state: 'detached' })
  expect(await page.getByRole('searchbox').inputValue()).toBe('exam')
})

test('a letter is taken back after the tab was closed, and its draft is there again', async () => {
  const address = 'reader@example.com'
  await desk.signUp(address)
  await journey.inbox.arrival(1, address)
  const page = await desk.openLetter()
  await page.getByLabel('Subject').fill('News of the bot')
  await page.getByRole('textbox', { name: 'Text' }).fill('The second letter.')
  await page.getByRole('radio', { name: /^Everyone on the list/ }).check()
  const send = { name: /^Send to \d/ }
  await page.getByRole('button', send).click()
  await page.getByRole('dialog').getByRole('button', send).click()
  await page.getByRole('heading', { name: '“News of the bot” starts' }).waitFor()
  await page.close()
  const another = await desk.openDesk('letters')
  await another.getByRole('button', { name: 'Take it back' }).click()
  await another.getByRole('link', { name: 'News of the bot' }).click()
  await another.getByText('The second letter.').first().waitFor()
  expect(journey.inbox.mails.filter(({ to }) => to.includes(address))).toHaveLength(1)
})

test('a file to import is sent once to be tried out, also if the window is left and seen again', async () => {
  const page = await desk.openDesk('people/import')
  const calls = watchCalls(page)
  const buffer = Buffer.from('email\nimported@example.com\n')
  const file = { name: 'people.csv', mimeType: 'text/csv', buffer }
  await page.getByLabel('The file').locator('input[type=file]').setInputFiles(file)
  await page.getByRole('heading', { name: '1 person would be added' }).waitFor()
  await setVisible(page, false)
  await setVisible(page, true)
  await calls.settled()
  expect(calls.names.filter((name) => name === 'import-file')).toHaveLength(1)
})

test('no view breaks a rule of accessibility or of its own content security policy, or scrolls sideways', async () => {
  await desk.signUp('ada@example.com')
  const page = await desk.openDesk()
  const complaints = complaintsOf(page)
  for (const path of ['', 'people', 'mail', 'letters', 'check-up', 'you', 'page', 'nonsense']) {
    await page.goto(`/desk/${path}`)
    await shownHeading(page)
    await check(page, [{ width: 390, colorScheme: 'light' }])
  }
  expect(complaints.filter((text) => text.includes('Content Security Policy'))).toEqual([])
})

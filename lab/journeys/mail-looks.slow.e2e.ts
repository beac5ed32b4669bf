import PostalMime from 'postal-mime'
import { expect, test } from 'vitest'
import { palette } from '#content/palette.ts'
import { startJourney } from './journey.ts'

const journey = startJourney()

test('the mail looks right in a browser, light and dark, wide and narrow, and asks for nothing', async () => {
  const { address } = await journey.signUpByPost()
  const [received] = await journey.inbox.arrival(1, address)
  const mail = await PostalMime.parse(received?.raw ?? '')
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [320, 390, 640]) {
      const page = await journey.open({ colorScheme, viewport: { width, height: 900 } })
      const requests: string[] = []
      page.on('request', (request) => requests.push(request.url()))
      await page.setContent(mail.html ?? '')
      const hex = Number.parseInt(palette[colorScheme].paper.slice(1), 16)
      const paper = `rgb(${hex >> 16}, ${(hex >> 8) & 255}, ${hex & 255})`
      const seen = await page.evaluate(() => ({
        width: document.documentElement.scrollWidth,
        paper: getComputedStyle(document.body).backgroundColor,
        // The button, which has 4 px of base, and the links to the files.
        targets: [...document.querySelectorAll('a')]
          .slice(0, 3)
          .map((link) => link.getBoundingClientRect().height),
      }))
      expect(seen).toEqual({ width, paper, targets: [44, 44, 44] })
      expect(requests).toEqual([])
    }
  }
})

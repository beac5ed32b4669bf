import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { kit } from '#content/kit.ts'
import { landingPage } from '#content/pages/landing-page.ts'
import { readStarterEmailTemplate } from '#server/transports/open-mailer.ts'
import { previewMail } from '../../announcements/announcement-mail.ts'
import type { Call } from '../call.ts'
import { owner, router } from '../procedures.ts'

/** What visitors get, as the build made it. */
export const givenRouter = router({ show: owner.query(({ ctx }) => describe(ctx)) })

async function describe({ folder, config, ownerEmail }: Call) {
  const dist = join(folder, 'dist')
  const mail = await previewMail(await readStarterEmailTemplate(dist, config), ownerEmail)
  const page = readFileSync(join(dist, 'pages/landing.html'), 'utf8')
  const texts = { 'content/starter-email.ts': mail.text, 'content/pages/landing-page.ts': textIn(page) }
  return {
    mail,
    share: { title: landingPage.title, description: landingPage.description, alt: landingPage.shareImageAlt },
    script: { name: kit.script.name, text: readFileSync(join(dist, 'kit/ema-crossover.pine'), 'utf8') },
    guideName: kit.guide.name,
    /** With a script of the owner's own: what is still said of the shipped one. */
    stale: Object.entries(texts).flatMap(([file, text]) =>
      kit.script.isYourOwn ? sentencesAboutOurs(text).map((words) => ({ words, file })) : [],
    ),
  }
}

function textIn(html: string): string {
  return html.replaceAll(/<(script|style|svg)\b.*?<\/\1>/gs, '').replaceAll(/<[^>]*>/g, '\n')
}

/** Lines that only the shipped script makes true. */
function sentencesAboutOurs(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim())
  return [...new Set(lines.filter((line) => /\bEMA\b|crossover|moving average/i.test(line)))]
}

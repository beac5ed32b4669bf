import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { kit } from '#content/kit.ts'
import { readStarterEmailTemplate } from '#server/transports/open-mailer.ts'
import { previewMail } from '../../announcements/announcement-mail.ts'
import { ownerProcedure, router } from '../procedures.ts'

/** What visitors get, as the build made it. */
export const givenRouter = router({
  show: ownerProcedure.query(async ({ ctx: { server, folder, ownerEmail } }) => {
    const dist = join(folder, 'dist')
    const mail = await previewMail(await readStarterEmailTemplate(dist, server.config), ownerEmail)
    const page = readFileSync(join(dist, 'pages/landing.html'), 'utf8')
    const pageText = page
      .replaceAll(/<(script|style|svg)\b.*?<\/\1>/gs, '')
      .replaceAll(/<[^>]*>/g, '\n')
    const texts = {
      'content/mail/starter-email.ts': mail.text,
      'content/pages/landing-page.ts': pageText,
    }
    return {
      mail,
      /** With a script of the owner's own: what is still said of the shipped one. */
      stale: Object.entries(texts).flatMap(([file, text]) =>
        kit.script.isYourOwn ? sentencesAboutOurs(text).map((words) => ({ words, file })) : [],
      ),
    }
  }),
})

/** Lines that only the shipped script makes true. */
function sentencesAboutOurs(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim())
  return [...new Set(lines.filter((line) => /\bEMA\b|crossover|moving average/i.test(line)))]
}

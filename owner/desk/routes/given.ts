import { starterTemplate } from '#server/site/fill-site.ts'
import { previewMail } from '../../announcements/announcement-mail.ts'
import { ownerProcedure, router } from '../procedures.ts'

/** What visitors get. */
export const givenRouter = router({
  show: ownerProcedure.query(async ({ ctx: { server, ownerEmail } }) => {
    const { content, mails, pages } = server.site.current
    const mail = await previewMail(starterTemplate(mails.starter, server.config), ownerEmail)
    const pageText = pages.landing.bodies.identity
      .toString()
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
        content.kit.script.isYourOwn
          ? sentencesAboutOurs(text).map((words) => ({ words, file }))
          : [],
      ),
    }
  }),
})

/** Lines that only the shipped script makes true. */
function sentencesAboutOurs(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim())
  return [...new Set(lines.filter((line) => /\bEMA\b|crossover|moving average/i.test(line)))]
}

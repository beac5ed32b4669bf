import type { KitFile } from '#site/kit/kit-files.ts'
import { fill } from '#site/text/fill.ts'
import { previewMail } from '#owner/mail/preview-mail.ts'
import { ownerProcedure, router } from '#owner/acts/procedures.ts'

/** The things that visitors get. */
export const givenRouter = router({
  show: ownerProcedure.query(async ({ ctx: { server, ownerEmail } }) => {
    const { content, mails, kit } = server.site.current
    const { landingPage, brand } = content
    return {
      mail: previewMail(mails.starter, server.config, ownerEmail),
      /** As a link to the page is shown elsewhere. */
      shared: {
        title: fill(landingPage.title, { brand: brand.name }),
        description: landingPage.description,
        pictureAlt: landingPage.shareImageAlt,
      },
      /** The names by which visitors save them. */
      guide: nameOf(kit, 'guide'),
      script: nameOf(kit, 'script'),
    }
  }),
})

function nameOf(kit: readonly KitFile[], kind: KitFile['kind']): string {
  return kit.find((file) => file.kind === kind)?.name ?? ''
}

import { canSend } from '#server/settings/config.ts'
import { isLoopback } from '#server/settings/loopback.ts'
import { openSite } from '#server/site/site-settings.ts'
import { readPublished } from '#server/site/versions.ts'
import { recordAction } from '#owner/acts/audit.ts'
import { CommandError } from '#owner/acts/command-context.ts'
import { checkUp } from './check-up.ts'
import { textsAboutOurs } from './unfinished-texts.ts'
import type { OwnerRequest } from '#owner/acts/desk-request.ts'
import { ownerProcedure, router } from '#owner/acts/procedures.ts'
import { isProved, readMailTests } from './mail-tests.ts'
import { addressLine, checkUpLine, mailLine, nameLine, wordsLine } from './ready-lines.ts'

export const readyRouter = router({
  show: ownerProcedure.query(({ ctx }) => describeReadiness(ctx)),
  open: ownerProcedure.mutation(async ({ ctx }) => {
    const { obstacles } = await describeReadiness(ctx)
    if (obstacles.length > 0) throw new CommandError(`Not yet: ${obstacles.join(', and ')}.`)
    const { database, settings, now } = ctx.server
    await openSite(database, now())
    await recordAction(database, { at: now(), action: 'Opened the page', about: '' })
    await settings.refresh()
  }),
})

async function describeReadiness({ server, request }: OwnerRequest) {
  const { settings, site, database, secret } = server
  const { config, isHeldBack, isAddressKnown } = settings.current
  const { content } = site.current
  const published = await readPublished(database)
  const tests = await readMailTests(database)
  const mail = mailLine({
    host: config.mailApi?.baseUrl ?? config.smtpUrl,
    hasLocalInbox: config.hasLocalInbox,
    canSend: canSend(config),
    lastFailure: tests[0]?.isSent === false ? tests[0].what : undefined,
    isProved: isProved(tests, config, secret),
  })
  const address = addressLine(isAddressKnown, config.publicUrl)
  const lines = {
    name: nameLine(content),
    words: wordsLine({
      content,
      aboutOurs: textsAboutOurs(published),
      changed: Object.keys(published?.difference.texts ?? {}).length,
    }),
    mail,
    address,
    checkUp: checkUpLine(checkUp, {
      isDue: mail.obstacle === '' && address.obstacle === '',
      isAtMachine: isLoopback(request.hostname),
      isOpenedThere: isAddressKnown && request.host === new URL(config.publicUrl).host,
    }),
  }
  const obstacles = Object.values(lines).flatMap(({ obstacle }) => (obstacle ? [obstacle] : []))
  return { isHeldBack, publicUrl: config.publicUrl, lines, obstacles }
}

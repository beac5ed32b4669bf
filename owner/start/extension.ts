import { dirname } from 'node:path'
import { builtFiles } from '#server/project-files.ts'
import type { Extension } from '#server/start/context.ts'
import { addPictureRoute } from '#owner/mailings/letters/picture-route.ts'
import { countWhoLeft, mailingRules } from '#owner/mailings/sending/may-go.ts'
import { sendMailings } from '#owner/mailings/sending/send-mailings.ts'
import { addSeries } from '#owner/mailings/series.ts'
import { endFutureSecrets } from '#owner/access/sign-in/secrets.ts'
import { endFutureSessions } from '#owner/access/sign-in/sessions.ts'
import { mailingClockRepairs } from '#owner/mailings/sending/clock-repairs.ts'
import { deskLine } from '#owner/access/sign-in/start-link.ts'
import { dropUnusedPageFiles } from '#owner/site/files/unused-files.ts'
import { addClientAddressRoute } from '#owner/conditions/site/ask-server.ts'
import { dropEndedJobs } from '#owner/acts/jobs/drop-ended-jobs.ts'
import { runJobs } from '#owner/acts/jobs/run-jobs.ts'
import { repeatCheckUp } from '#owner/conditions/check-up/check-up.ts'
import { ownerMigrations } from '../tables/migrations.ts'
import { startOwnerMail } from './start-owner-mail.ts'
import { dropOldEvents, endFutureEvents, eventRecorder } from '#owner/mail/webhooks/record-event.ts'
import { jobActs } from './job-acts.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const sendEveryMs = 2_000
const jobsEveryMs = 1_000

/**
 * The owner's ring of the running server. Parts that a variable switches on are imported only then.
 */
export const ownerExtension: Extension = {
  migrations: ownerMigrations,
  mailings: mailingRules,
  recordEvent(config) {
    const recordForWebhook = eventRecorder(config)
    return async (transaction, event, subscriber, now) => {
      if (event === 'left') await countWhoLeft(transaction, subscriber, now)
      await recordForWebhook(transaction, event, subscriber, now)
    }
  },
  clockRepairs: (config) => [
    ...mailingClockRepairs,
    (now) => endFutureEvents(now, config),
    endFutureSessions,
    endFutureSecrets,
  ],
  async start(app, context) {
    const { bounceToken, webhook } = context.config
    addClientAddressRoute(app, context)
    addPictureRoute(app, context.database)
    await addSeries(context.database, context.now())
    context.repeat('mailings', sendEveryMs, () => sendMailings(context))
    const acts = jobActs(context)
    context.repeat('jobs of the owner', jobsEveryMs, () =>
      runJobs(context.database, acts, context.now),
    )
    context.repeatDeleting('dropping ended jobs', minuteMs, () =>
      dropEndedJobs(context.database, context.now()),
    )
    context.repeatDeleting('dropping unused files of the page', hourMs, () =>
      dropUnusedPageFiles(context.database, context.now()),
    )
    context.repeatDeleting('dropping old webhook events', minuteMs, () => dropOldEvents(context))
    if (webhook) {
      const { startSending } = await import('#owner/mail/webhooks/send-events.ts')
      startSending(context, webhook)
    }
    if (bounceToken !== undefined) {
      const { bounceRoutes } = await import('#owner/mail/bounces/bounce-hook.ts')
      await app.register((scope) => bounceRoutes(scope, context, bounceToken))
    }
    startOwnerMail(context)
    repeatCheckUp(context)
    const { deskRoutes } = await import('./desk.ts')
    await app.register((scope) =>
      deskRoutes(scope, { server: context, folder: dirname(builtFiles) }),
    )
  },
  linesForOwner: async (context) => [await deskLine(context)],
}

import { signInRouter } from '#owner/access/sign-in/sign-in.ts'
import { youRouter } from '#owner/access/you.ts'
import { router } from '#owner/acts/procedures.ts'
import { mailingsRouter } from '#owner/mailings/router.ts'
import { conditionsRouter } from '#owner/conditions/router.ts'
import { addressRouter } from '#owner/access/address.ts'
import { mailServiceRouter } from '#owner/access/mail-service.ts'
import { importRouter } from '#owner/people/import/router.ts'
import { jobsRouter } from '#owner/acts/jobs/router.ts'
import { mailRouter } from '#owner/mail/router.ts'
import { pageRouter } from '#owner/site/router.ts'
import { peopleRouter } from '#owner/people/router.ts'
import { todayRouter } from '#owner/reports/router.ts'

/**
 * The one contract of server and browser. Times are ms since 1970, days are UTC (`2026-11-22`),
 * shares are of 1.
 */
export const deskRouter = router({
  signIn: signInRouter,
  you: youRouter,
  today: todayRouter,
  page: pageRouter,
  people: peopleRouter,
  import: importRouter,
  jobs: jobsRouter,
  mail: mailRouter,
  mailings: mailingsRouter,
  conditions: conditionsRouter,
  mailService: mailServiceRouter,
  address: addressRouter,
})
export type DeskRouter = typeof deskRouter

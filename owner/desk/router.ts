import { signInRouter } from './access/sign-in.ts'
import { youRouter } from './access/you.ts'
import { router } from './procedures.ts'
import { announceRouter } from './routes/announce/announce.ts'
import { lettersRouter } from './routes/announce/letters.ts'
import { seriesRouter } from './routes/announce/series.ts'
import { checkUpRouter } from './routes/check-up.ts'
import { addressRouter } from './routes/first-start/address.ts'
import { mailServiceRouter } from './routes/first-start/mail-service.ts'
import { readyRouter } from './routes/first-start/ready.ts'
import { givenRouter } from './routes/given.ts'
import { importRouter } from './routes/people/import.ts'
import { jobsRouter } from './routes/jobs.ts'
import { mailRouter } from './routes/mail.ts'
import { pageRouter } from './routes/page/page.ts'
import { peopleRouter } from './routes/people/people.ts'
import { todayRouter } from './routes/today.ts'

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
  given: givenRouter,
  import: importRouter,
  jobs: jobsRouter,
  mail: mailRouter,
  announce: announceRouter,
  letters: lettersRouter,
  series: seriesRouter,
  checkUp: checkUpRouter,
  ready: readyRouter,
  mailService: mailServiceRouter,
  address: addressRouter,
})
export type DeskRouter = typeof deskRouter

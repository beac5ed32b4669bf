import sql from 'sql-template-tag'
import type { Reader } from '#server/database/database.ts'
import { canSend, type Config } from '#server/settings/config.ts'
import { timeText } from '#owner/acts/output.ts'
import { readOwnerMailState } from '#owner/mail/mail-trouble.ts'
import { headingOfMailTrouble, wordsOfMailTrouble } from '#owner/mail/mail-trouble-words.ts'
import { about, type Condition } from '../condition.ts'
import { isProved, readMailTests } from '../mail-service/mail-tests.ts'
import type { Situation } from './situation.ts'

/** The mail service, and whether mail goes out. */
export async function judgeMail(situation: Situation): Promise<Condition[]> {
  return [
    await judgeService(situation),
    ...(await judgeQueue(situation)),
    ...(await judgePaused(situation.reader)),
  ]
}

async function judgeService({ settings, reader, secret }: Situation): Promise<Condition> {
  const { config, isHeldBack } = settings
  const { fine, error } = about('mail-service.works')
  const place = 'mail-service'
  if (config.hasLocalInbox) return fine('Mail goes to the local inbox of this machine.')
  const host = hostOf(config)
  if (!canSend(config) || host === undefined) {
    return error('No mail service is set up.', 'Enter one under Mail service.', { place })
  }
  const tests = await readMailTests(reader)
  if (isProved(tests, config, secret)) return fine(`A test email was accepted by ${host}.`)
  // Later, the mail to visitors shows whether it works.
  if (!isHeldBack) return fine(`Email is being delivered through ${host}.`)
  const press = 'Press “Send me a test mail” under Mail service, and save what works.'
  const [newest] = tests
  if (newest?.isSent === false) return error(newest.what, newest.advice, { place, why: newest.why })
  return error(`No test mail has gone out through ${host} yet.`, press, { place })
}

function hostOf({ mailApi, smtpUrl }: Config): string | undefined {
  const url = mailApi?.baseUrl ?? smtpUrl
  return url === undefined ? undefined : new URL(url).hostname
}

async function judgeQueue({ settings, reader, now }: Situation): Promise<Condition[]> {
  const { trouble, waiting } = await readOwnerMailState(reader, settings.config, now)
  if (!trouble) {
    return [
      about('mail.stuck').fine('Email is being delivered.'),
      about('mail.late').fine('Email is delivered on time.'),
      about('mail.refusing').fine('The mail server does not refuse many people alike.'),
      about('mail.full').fine('The mails of this hour are not used up.'),
    ]
  }
  const timeOf = (at: number) => `${timeText(at)} UTC`
  const { text, remedy } = wordsOfMailTrouble(trouble, { waiting, at: now, timeOf })
  const { kind, since } = trouble
  const { warning, error } = about(`mail.${kind}`)
  // The next try may show that it was nothing.
  const judge = kind === 'away' ? warning : error
  return [
    judge(headingOfMailTrouble(kind), remedy || undefined, { place: 'mail', since, why: text }),
  ]
}

/** Letters that paused by themselves. */
async function judgePaused(reader: Reader): Promise<Condition[]> {
  const paused = await reader.rows<{ id: number; subject: string; why: string }>(sql`
    select id, subject, paused_why as why from mailings
    where state = 'paused' and paused_why is not null order by id`)
  return paused.map(({ id, subject, why }) => {
    const condition = about('letters.paused').error(
      `The letter “${subject}” has paused.`,
      '“Go on” sends the rest, without the addresses whose mail came back; “Cancel the rest” ends it.',
      {
        place: `letters/${id}`,
        why: `It paused because ${why}. Each letter pauses above 2\u00a0% returned, or at two complaints among the last 1,000: mail servers then begin to refuse all your mail, including the mail to new sign-ups.`,
      },
    )
    return { ...condition, id: `${condition.id}-${id}` }
  })
}

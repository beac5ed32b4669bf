import type { Content } from '#content/content.ts'
import { explainError } from '#owner/acts/errors.ts'
import { readStoredSite } from '#owner/acts/owned-database.ts'
import type { Check, CheckContext } from '../check-context.ts'
import { about, type Condition, type ConditionId } from '../condition.ts'
import { checkDkim } from '../dns/check-dkim.ts'
import { checkDmarc } from '../dns/check-dmarc.ts'
import { checkSpf } from '../dns/check-spf.ts'
import { checkMailApi } from '../mail-service/check-mail-api.ts'
import { checkSmtp } from '../mail-service/check-smtp.ts'
import { checkTestMail } from '../mail-service/send-test-mail.ts'
import { checkSite } from '../site/check-site.ts'
import { checkDatabase } from '../state/check-database.ts'

/** Each stands under the id of its condition, or of its first one. */
const checks: Partial<Record<ConditionId, Check>> = {
  'database.answers': checkDatabase,
  'site.answers': checkSite,
  'mail.connects': (context) =>
    context.config.mailApi ? checkMailApi(context) : checkSmtp(context),
  'mail.test': checkTestMail,
  'dns.spf': checkSpf,
  'dns.dkim': checkDkim,
  'dns.dmarc': checkDmarc,
}

/** The conditions that one check found. */
export interface Checked {
  check: string
  conditions: Condition[]
}

/** Runs all checks concurrently. None rejects: what a check that fails is about is not checked. */
function startChecks(context: CheckContext): Promise<Checked>[] {
  const byId = Object.entries(checks) as [ConditionId, Check][] // the keys of `checks`
  return byId.map(async ([id, check]) => {
    try {
      return { check: id, conditions: [await check(context)].flat() }
    } catch (error) {
      const what = `This could not be checked. ${explainError(error)}`
      return { check: id, conditions: [about(id).notChecked(what)] }
    }
  })
}

/** The part of the context that the caller gives; the rest is read from the database. */
interface CheckOrder extends Pick<
  CheckContext,
  'environment' | 'folder' | 'now' | 'renderer' | 'dns' | 'answerMs' | 'testAddress'
> {
  /** The content that a running server serves. By default it is read from the database. */
  content?: Content
}

/** Runs all checks, and hands out what each found, in order, as they finish. */
export async function* runChecks(order: CheckOrder): AsyncGenerator<Checked> {
  const site = await readStoredSite(order)
  yield* startChecks({ ...site, ...order, config: site.settings.config })
}

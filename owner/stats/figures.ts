import { ownerMailText } from '#content/owner-mail.ts'
import { countText } from '../command-line/output.ts'
import { sumOf, type Summary, type Tally } from './summary.ts'

export interface Figure {
  label: string
  of(summary: Summary): number
  /** It is a share of these. */
  whole?: 'signUps' | 'delivered'
}

const { signUps, mail, kit } = ownerMailText.weeklyReport

/** What is told of a period, by heading. Forms and limits that did not occur, and arrivals that nobody reports, are left out. */
export function figuresOf(period: Summary): Record<string, Figure[]> {
  const arrived: Figure = { label: mail.arrived, of: (one) => one.arrived, whole: 'signUps' }
  return {
    [signUps.heading]: [
      { label: signUps.views, of: (one) => one.views.people },
      { label: signUps.all, of: (one) => one.signUps },
      ...tallied(signUps.forms, period, (one) => one.byForm, 'signUps'),
      { label: signUps.repeated, of: (one) => one.repeated },
      { label: signUps.suggestions, of: (one) => one.suggestionsAccepted },
      { label: signUps.limitsHit, of: (one) => sumOf(one.limitsHit) },
      ...tallied(signUps.limits, period, (one) => one.limitsHit),
    ],
    [mail.heading]: [
      { label: mail.delivered, of: (one) => one.delivered, whole: 'signUps' },
      ...(period.arrived > 0 ? [arrived] : []),
      { label: mail.failed, of: (one) => one.failed },
      { label: mail.bounced, of: (one) => one.bounced, whole: 'delivered' },
      { label: mail.unsubscribed, of: (one) => one.unsubscribed, whole: 'signUps' },
      { label: mail.blocked, of: (one) => one.blocked },
      { label: mail.erased, of: (one) => one.erased },
    ],
    [kit.heading]: [
      { label: kit.opened, of: (one) => one.pageOpened.people, whole: 'signUps' },
      { label: kit.script, of: (one) => one.scriptDownloaded.people, whole: 'signUps' },
      { label: kit.guide, of: (one) => one.guideDownloaded.people, whole: 'signUps' },
    ],
  }
}

/** A sentence about the visits that no person made. */
export function machinesOf({ pageOpened, scriptDownloaded, guideDownloaded }: Summary): string {
  const count = ({ machines }: Summary['views']) => countText(machines)
  return kit.machines(count(pageOpened), count(scriptDownloaded), count(guideDownloaded))
}

function tallied(
  names: Record<string, string>,
  period: Summary,
  pick: (summary: Summary) => Tally[],
  whole?: Figure['whole'],
): Figure[] {
  return pick(period).map(({ detail }) => ({
    label: `  ${Object.hasOwn(names, detail) ? names[detail]! : detail}`,
    of: (summary) => sumOf(pick(summary).filter((one) => one.detail === detail)),
    ...(whole && { whole }),
  }))
}

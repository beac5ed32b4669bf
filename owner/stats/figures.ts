import { ownerMailText } from '#content/owner-mail.ts'
import { countText } from '../command-line/output.ts'
import { shareOf } from './share.ts'
import { sumOf, type Summary, type Tally } from './summary.ts'

const { signUps, mail, kit } = ownerMailText.weeklyReport

/**
 * What is told of a period, by heading: label, count, count before, share of the `whole`. Forms and
 * limits that did not occur, and arrivals that nobody reports, are left out.
 */
export function figuresOf(period: Summary, before: Summary) {
  const figure = (label: string, of: (one: Summary) => number, whole?: 'signUps' | 'delivered') => {
    const share = whole && shareOf(of(period), period[whole])
    return [label, countText(of(period)), countText(of(before)), share ?? ''] as const
  }
  const tallied = (
    names: Record<string, string>,
    of: (one: Summary) => Tally[],
    whole?: 'signUps',
  ) =>
    of(period).map(({ detail }) => {
      const name = Object.hasOwn(names, detail) ? names[detail] : detail
      return figure(
        `  ${name}`,
        (one) => sumOf(of(one).filter((each) => each.detail === detail)),
        whole,
      )
    })
  return {
    [signUps.heading]: [
      figure(signUps.views, ({ views }) => views.people),
      figure(signUps.all, (one) => one.signUps),
      ...tallied(signUps.forms, (one) => one.byForm, 'signUps'),
      figure(signUps.repeated, (one) => one.repeated),
      figure(signUps.suggestions, (one) => one.suggestionsAccepted),
      figure(signUps.limitsHit, (one) => sumOf(one.limitsHit)),
      ...tallied(signUps.limits, (one) => one.limitsHit),
    ],
    [mail.heading]: [
      figure(mail.delivered, (one) => one.delivered, 'signUps'),
      ...(period.arrived > 0 ? [figure(mail.arrived, (one) => one.arrived, 'signUps')] : []),
      figure(mail.failed, (one) => one.failed),
      figure(mail.bounced, (one) => one.bounced, 'delivered'),
      figure(mail.unsubscribed, (one) => one.unsubscribed, 'signUps'),
      figure(mail.blocked, (one) => one.blocked),
      figure(mail.erased, (one) => one.erased),
    ],
    [kit.heading]: [
      figure(kit.opened, (one) => one.pageOpened.people, 'signUps'),
      figure(kit.script, (one) => one.scriptDownloaded.people, 'signUps'),
      figure(kit.guide, (one) => one.guideDownloaded.people, 'signUps'),
    ],
  }
}

/** A sentence about the visits that no person made. */
export function machinesOf({ pageOpened, scriptDownloaded, guideDownloaded }: Summary): string {
  const count = ({ machines }: Summary['views']) => countText(machines)
  return kit.machines(count(pageOpened), count(scriptDownloaded), count(guideDownloaded))
}

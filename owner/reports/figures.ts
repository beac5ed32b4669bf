import { ownerMailText } from '#content/owner-mail.ts'
import { fill } from '#site/text/fill.ts'
import { countText } from '#owner/acts/output.ts'
import { formName } from '#owner/people/people-words.ts'
import { shareOf } from '#owner/acts/share.ts'
import { sumOf } from '#server/statistics/daily-counts.ts'
import type { Summary, Tally } from './summary.ts'

const { signUps, mail, kit } = ownerMailText.weeklyReport

/** The figures of a period under one heading. */
export interface FigureSection {
  heading: string
  figures: Figure[]
}

export interface Figure {
  label: string
  count: string
  /** In the period before. */
  before: string
  /**
   * A share of the sign-ups, or of the delivered mail. It is undefined if there is none to tell.
   */
  share: string | undefined
}

/**
 * Returns the figures of a period, in sections. Forms and limits that did not occur, and arrivals
 * that nobody reports, are left out.
 */
export function figuresOf(period: Summary, before: Summary): FigureSection[] {
  const figure = figureOf(period, before)
  const arrived = figure(mail.arrived, ({ arrived: count }) => count, 'signUps')
  return [
    { heading: signUps.heading, figures: signUpFigures(period, figure) },
    {
      heading: mail.heading,
      figures: [
        figure(mail.delivered, ({ delivered }) => delivered, 'signUps'),
        ...(period.arrived > 0 ? [arrived] : []),
        figure(mail.failed, ({ failed }) => failed),
        figure(mail.bounced, ({ bounced }) => bounced, 'delivered'),
        figure(mail.unsubscribed, ({ unsubscribed }) => unsubscribed, 'signUps'),
        figure(mail.blocked, ({ blocked }) => blocked),
        figure(mail.erased, ({ erased }) => erased),
      ],
    },
    {
      heading: kit.heading,
      figures: [
        figure(kit.opened, ({ pageOpened }) => pageOpened.people, 'signUps'),
        figure(kit.script, ({ scriptDownloaded }) => scriptDownloaded.people, 'signUps'),
        figure(kit.guide, ({ guideDownloaded }) => guideDownloaded.people, 'signUps'),
      ],
    },
  ]
}

/** `whole`: what the share is of. */
type MakeFigure = (
  label: string,
  count: (summary: Summary) => number,
  whole?: 'signUps' | 'delivered',
) => Figure

function figureOf(period: Summary, before: Summary): MakeFigure {
  return (label, count, whole) => ({
    label,
    count: countText(count(period)),
    before: countText(count(before)),
    share: whole && shareOf(count(period), period[whole]),
  })
}

function signUpFigures(period: Summary, figure: MakeFigure): Figure[] {
  const forms = period.byForm.map(({ detail }) =>
    figure(`  ${formName(detail)}`, ({ byForm }) => countIn(byForm, detail), 'signUps'),
  )
  const limits = period.limitsHit.map(({ detail }) =>
    figure(`  ${nameIn(signUps.limits, detail)}`, ({ limitsHit }) => countIn(limitsHit, detail)),
  )
  return [
    figure(signUps.views, ({ views }) => views.people),
    figure(signUps.all, (summary) => summary.signUps),
    ...forms,
    figure(signUps.repeated, ({ repeated }) => repeated),
    figure(signUps.suggestions, ({ suggestionsAccepted }) => suggestionsAccepted),
    figure(signUps.limitsHit, ({ limitsHit }) => sumOf(limitsHit)),
    ...limits,
  ]
}

/** A detail without a name of ours is shown as it is. */
function nameIn(names: Record<string, string>, detail: string): string {
  return Object.hasOwn(names, detail) ? names[detail]! : detail
}

function countIn(tallies: readonly Tally[], detail: string): number {
  return tallies.find((tally) => tally.detail === detail)?.count ?? 0
}

/** A sentence about the visits that no person made. */
export function machinesOf({ pageOpened, scriptDownloaded, guideDownloaded }: Summary): string {
  return fill(kit.machines, {
    opened: countText(pageOpened.machines),
    script: countText(scriptDownloaded.machines),
    guide: countText(guideDownloaded.machines),
  })
}

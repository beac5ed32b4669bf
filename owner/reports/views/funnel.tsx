import { shareOf } from '#owner/acts/share.ts'
import type { RouterOutputs } from '#owner/desk/views/api/trpc.ts'
import { counted, formatNumber } from '#owner/desk/views/format/format.ts'
import type { RowProps } from '#owner/desk/views/parts/outline/rows.tsx'
import { Section } from '#owner/desk/views/parts/outline/section.tsx'

interface FunnelProps {
  period: RouterOutputs['today']['figures']['period']
}

/** With fewer sign-ups a share says nothing. */
const minForShare = 5

export function Funnel({ period }: FunnelProps) {
  const { views, signUps, signUpsViaForms } = period
  const ofViews = signUps < minForShare ? undefined : shareOf(signUpsViaForms, views.people, 1)
  return (
    <Section
      heading={ofViews ? `${ofViews} of views became sign-ups` : counted(views.people, 'view')}
      note="People only. Pages that a CDN answers are not counted."
      rows={rowsFor(period)}
    />
  )
}

function rowsFor(period: FunnelProps['period']): RowProps[] {
  const { views, signUps, signUpsViaForms, delivered } = period
  const byPrograms = signUps - signUpsViaForms
  const step = (words: string, count: number, ownNote?: string): RowProps => {
    const note = ownNote ?? shareOf(count, signUps)?.concat(' of sign-ups')
    return {
      words,
      ...(signUps >= minForShare && note !== '' && { note }),
      share: count / Math.max(signUps, 1),
      axis: formatNumber(count),
    }
  }
  return [
    {
      words: 'Views',
      note: `${formatNumber(views.machines)} more by bots`,
      axis: formatNumber(views.people),
    },
    step('Signed up', signUps, byPrograms > 0 ? `${formatNumber(byPrograms)} via the API` : ''),
    step('Email delivered', delivered, 'includes emails sent again'),
    step('Page opened', period.pageOpened.people),
    step('Script downloaded', period.scriptDownloaded.people),
    step('Guide downloaded', period.guideDownloaded.people),
  ]
}

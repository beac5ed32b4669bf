import { shareOf } from '#owner/acts/share.ts'
import type { RouterOutputs } from '#owner/desk/views/api/trpc.ts'
import { campaignTitle, formName } from '#owner/people/people-words.ts'
import { counted, formatNumber } from '#owner/desk/views/format/format.ts'
import { CampaignLink } from '#owner/desk/views/parts/campaign-link.tsx'
import { LinkButton } from '#owner/desk/views/parts/link-button.tsx'
import { Disclosure } from '#owner/desk/views/parts/disclosure.tsx'
import { type RowProps, Rows } from '#owner/desk/views/parts/outline/rows.tsx'
import { Section } from '#owner/desk/views/parts/outline/section.tsx'

export type Source = RouterOutputs['today']['figures']['sources'][number]

/** The others are behind a press, so that they do not push the rest below the fold. */
const campaignsAtOnce = 5

export function sourceName({ kind, name }: Source): string {
  return kind === 'form' ? formName(name) : campaignTitle(name)
}

/** A campaign may have the name of a form. */
export function sourceId({ kind, name }: Source): string {
  return `${kind} ${name}`
}

interface SourcesProps {
  figures: RouterOutputs['today']['figures']
  /** The id of a source. Empty: none. */
  chosen: string
  onChoose: (id: string) => void
}

/**
 * Lists what came of each campaign and form. A press on one filters the plot and the heading above
 * it.
 */
export function Sources({ figures: { sources, pageUrl, period }, chosen, onChoose }: SourcesProps) {
  const rowFor = (source: Source): RowProps => {
    const id = sourceId(source)
    const isChosen = id === chosen
    return {
      id,
      words: (
        <LinkButton
          aria-pressed={isChosen}
          fw={isChosen ? 700 : 400}
          onClick={() => onChoose(isChosen ? '' : id)}
        >
          {sourceName(source)}
        </LinkButton>
      ),
      note: describe(source, period.signUps),
      axis: formatNumber(source.signUps),
    }
  }
  const campaigns = sources.filter(({ kind }) => kind === 'campaign').map(rowFor)
  const forms = sources.filter(({ kind }) => kind === 'form').map(rowFor)
  const rest = campaigns.slice(campaignsAtOnce)
  return (
    <Section heading="Sources" note="Sign-ups of people. Press one to see it in the plot.">
      <CampaignLink label="Make a link for a campaign" placeholder="youtube" pageUrl={pageUrl} />
      {campaigns.length > 0 && <Rows rows={campaigns.slice(0, campaignsAtOnce)} />}
      {rest.length > 0 && (
        <Disclosure words={`${formatNumber(rest.length)} more campaigns`}>
          <Rows rows={rest} />
        </Disclosure>
      )}
      {forms.length > 0 && (
        <Disclosure words="By form">
          <Rows rows={forms} />
        </Disclosure>
      )}
    </Section>
  )
}

/** One rate: of the views of a campaign, or of all sign-ups. */
function describe({ kind, views, signUps, opened, gotScript }: Source, allSignUps: number): string {
  if (kind === 'form') return `${shareOf(signUps, allSignUps) ?? 'none'} of all sign-ups`
  const rate = shareOf(signUps, views ?? 0, 1)
  return [
    counted(views ?? 0, 'view'),
    ...(rate === undefined ? [] : [`${rate} signed up`]),
    `${counted(opened ?? 0, 'page')} opened`,
    `${counted(gotScript ?? 0, 'script')} downloaded`,
  ].join(' · ')
}

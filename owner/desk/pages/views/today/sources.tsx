import { Code, Table, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { TodayState } from '../../api.ts'
import { number } from '../../format.ts'
import { LinkButton, Section } from '../../parts/parts.tsx'
import { Copy } from '../check-up.tsx'

export type SourceRow = TodayState['plot']['rows'][number]

export const forms: Record<string, string> = {
  hero: 'Form at the top',
  closing: 'Form at the foot',
  program: 'By a program',
  unknown: 'Form not known',
}

export function nameOf({ of, name }: Pick<SourceRow, 'of' | 'name'>): string {
  if (of === 'form') return forms[name] ?? name
  return name === 'none' ? 'No campaign named' : name === 'other' ? 'All others' : name
}

export function keyOf({ of, name }: Pick<SourceRow, 'of' | 'name'>): string {
  return `${of} ${name}`
}

interface SourcesProps {
  today: TodayState
  chosen: string | undefined
  onChoose: (key: string | undefined) => void
}

/** What came of each campaign, and of each form. A press on one filters the plot and the heading above it. */
export function Sources({ today: { plot, sources, pageUrl }, chosen, onChoose }: SourcesProps) {
  const named = (row: Pick<SourceRow, 'of' | 'name'>) => {
    const [key, isOn] = [keyOf(row), chosen === keyOf(row)]
    return (
      <LinkButton key={key} aria-pressed={isOn} onClick={() => onChoose(isOn ? undefined : key)}>
        {nameOf(row)}
      </LinkButton>
    )
  }
  const campaigns = sources.map(({ campaign, views, signUps, opened, taken }) => [
    named({ of: 'campaign', name: campaign }),
    ...[views, signUps, opened, taken].map(number),
  ])
  const fromForms = plot.rows
    .filter(({ of, inPeriod }) => of === 'form' && inPeriod > 0)
    .map((row) => [named(row), '', number(row.inPeriod), '', ''])
  return (
    <Section heading="Sources" note="By campaign and by form, people only. Press one to see it in the plot.">
      {campaigns.length + fromForms.length > 0 && (
        <Table
          className="figures"
          data={{
            head: ['Source', 'Views', 'Sign-ups', 'Kits opened', 'Scripts taken'],
            body: [...campaigns, ...fromForms],
          }}
        />
      )}
      <CampaignLink pageUrl={pageUrl} />
    </Section>
  )
}

/** Makes a link that counts its visitors as a campaign. */
function CampaignLink({ pageUrl }: { pageUrl: string }) {
  const [name, setName] = useState('')
  const link = `${pageUrl}/?utm_source=${encodeURIComponent(name.trim())}`
  return (
    <div className="fields">
      <TextInput
        label="Make a link for a campaign"
        placeholder="youtube"
        maxLength={40}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      {name.trim() !== '' && (
        <p>
          <Code>{link}</Code> <Copy text={link} />
        </p>
      )}
    </div>
  )
}

import { Code, CopyButton, Table, TextInput } from '@mantine/core'
import { useState } from 'react'
import { number, share } from '../../format.ts'
import { LinkButton, Rows, Section } from '../../parts.tsx'
import type { TodayState } from './today.tsx'

export type SourceRow = TodayState['plot']['rows'][number]

export const forms: Record<string, string> = {
  hero: 'Form at the top',
  closing: 'Form at the foot',
  program: 'By a program',
  import: 'Imported',
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
export function Sources({ today, chosen, onChoose }: SourcesProps) {
  const { plot, period, sources, pageUrl } = today
  const toggle = (key: string) => ({
    isOn: chosen === key,
    onToggle: () => onChoose(chosen === key ? undefined : key),
  })
  const forms = plot.rows.filter(({ of, inPeriod }) => of === 'form' && inPeriod > 0)
  return (
    <Section
      heading="Sources"
      note={
        sources.length > 0
          ? 'By campaign, people only. Press one to see it in the plot.'
          : 'Nobody came in these days.'
      }
    >
      {sources.length > 0 && <CampaignTable sources={sources} toggle={toggle} />}
      <Rows
        rows={forms.map((row) => ({
          words: nameOf(row),
          note: share(row.inPeriod, period.signUps),
          axis: number(row.inPeriod),
          ...toggle(keyOf(row)),
        }))}
      />
      <CampaignLink pageUrl={pageUrl} />
    </Section>
  )
}

interface CampaignTableProps {
  sources: TodayState['sources']
  toggle: (key: string) => { isOn: boolean; onToggle: () => void }
}

function CampaignTable({ sources, toggle }: CampaignTableProps) {
  return (
    <Table className="campaigns">
      <Table.Thead>
        <Table.Tr>
          {['Campaign', 'Views', 'Sign-ups', 'Kits opened', 'Scripts taken'].map((column) => (
            <Table.Th key={column}>{column}</Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {sources.map(({ campaign, views, signUps, opened, taken }) => {
          const row = { of: 'campaign' as const, name: campaign }
          const { isOn, onToggle } = toggle(keyOf(row))
          return (
            <Table.Tr key={campaign}>
              <Table.Th scope="row">
                <LinkButton aria-pressed={isOn} onClick={onToggle}>
                  {nameOf(row)}
                </LinkButton>
              </Table.Th>
              {[views, signUps, opened, taken].map((count, index) => (
                // oxlint-disable-next-line react/no-array-index-key -- the columns do not move
                <Table.Td key={index}>{number(count)}</Table.Td>
              ))}
            </Table.Tr>
          )
        })}
      </Table.Tbody>
    </Table>
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
        <p className="campaign-link">
          <Code>{link}</Code>
          <CopyButton value={link}>
            {({ copied, copy }) => <LinkButton onClick={copy}>{copied ? 'Copied' : 'Copy'}</LinkButton>}
          </CopyButton>
        </p>
      )}
    </div>
  )
}

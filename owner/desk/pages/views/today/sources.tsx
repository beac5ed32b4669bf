import { Code, Stack, Table, TextInput } from '@mantine/core'
import { useState } from 'react'
import { type TodayState, useRemembered } from '../../api.ts'
import { number } from '../../format.ts'
import { LinkButton, Section } from '../../parts/parts.tsx'
import { Copy } from '../check-up.tsx'

export const forms: Record<string, string> = {
  hero: 'Form at the top',
  closing: 'Form at the foot',
  program: 'By a program',
  unknown: 'Form not known',
}
const campaigns: Record<string, string> = { none: 'No campaign named', other: 'All others' }

export function nameOf({ of, name }: TodayState['sources'][number]): string {
  return { forms, campaigns }[of][name] ?? name
}

/** The name of one, or null. */
export const useChosen = () => useRemembered<string | null>('source', null)

/**
 * Lists what came of each campaign and form. A press on one filters the plot and the heading above
 * it.
 */
export function Sources({ today: { sources, pageUrl } }: { today: TodayState }) {
  const [chosen, choose] = useChosen()
  const rows = sources.map((source) => {
    const name = nameOf(source)
    const isOn = name === chosen
    const { views, signUps, opened, taken } = source
    return [
      <LinkButton
        key={name}
        aria-pressed={isOn}
        fw={isOn ? 700 : 400}
        onClick={() => choose(isOn ? null : name)}
      >
        {name}
      </LinkButton>,
      ...[views, signUps, opened, taken].map((count) => (count === null ? '' : number(count))),
    ]
  })
  return (
    <Section
      heading="Sources"
      note="By campaign and by form, people only. Press one to see it in the plot."
    >
      {rows.length > 0 && (
        <Table
          className="figures"
          data={{
            head: ['Source', 'Views', 'Sign-ups', 'Kits opened', 'Scripts taken'],
            body: rows,
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
  // As the server counts it: `My video: 2` becomes `my-video-2`. Another name would be one of "All
  // others".
  const letters = name.toLowerCase().replaceAll(/[^a-z0-9._]+/g, '-')
  const campaign = letters.replaceAll(/^[^a-z0-9]+|-$/g, '')
  const link = `${pageUrl}/?utm_source=${campaign}`
  return (
    <Stack gap="xs" mt="lg" maw={620}>
      <TextInput
        label="Make a link for a campaign"
        placeholder="youtube"
        maxLength={40}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      {campaign !== '' && (
        <p>
          <Code>{link}</Code> <Copy text={link} />
        </p>
      )}
    </Stack>
  )
}

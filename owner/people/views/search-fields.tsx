import { NativeSelect, SimpleGrid, TextInput } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useRef } from 'react'
import { campaignTitle } from '../people-words.ts'
import { groupNames, type Picks, signedUpNames } from './names.ts'

interface SearchFieldsProps {
  search: Picks
  campaigns: readonly string[]
  onChange: (changed: Partial<Picks>) => void
}

export function SearchFields({ search, campaigns, onChange }: SearchFieldsProps) {
  const field = useRef<HTMLInputElement>(null)
  useHotkeys([['/', () => field.current?.focus()]])
  const campaignNames = Object.fromEntries(
    campaigns.map((campaign) => [campaign, campaignTitle(campaign)]),
  )
  return (
    <SimpleGrid component="search" my="lg" cols={{ base: 1, sm: 4 }}>
      <TextInput
        label="Search"
        type="search"
        ref={field}
        value={search.text}
        placeholder="any part of an address"
        autoComplete="off"
        onChange={(event) => onChange({ text: event.target.value })}
      />
      <NativeSelect
        label="Who"
        value={search.who}
        data={optionsFrom(groupNames)}
        onChange={(event) => onChange({ who: event.target.value as Picks['who'] })} // a group's key
      />
      <NativeSelect
        label="Signed up"
        value={search.days}
        data={optionsFrom(signedUpNames)}
        onChange={(event) => onChange({ days: event.target.value as Picks['days'] })} // a period's key
      />
      <NativeSelect
        label="Campaign"
        value={search.campaign}
        data={optionsFrom({ '': 'Any', ...campaignNames })}
        onChange={(event) => onChange({ campaign: event.target.value })}
      />
    </SimpleGrid>
  )
}

function optionsFrom(names: Record<string, string>) {
  return Object.entries(names).map(([value, label]) => ({ value, label }))
}

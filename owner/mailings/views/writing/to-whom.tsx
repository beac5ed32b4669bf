import { MultiSelect, Radio, Stack } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTRPC } from '#owner/desk/views/api/trpc.ts'
import { counted, formatNumber } from '#owner/desk/views/format/format.ts'
import { Section } from '#owner/desk/views/parts/outline/section.tsx'
import { Soft } from '#owner/desk/views/parts/text.tsx'
import { campaignTitle } from '#owner/people/people-words.ts'
import type { Letter, OpenLetter } from './use-letter.ts'

export const consentLaw =
  'They asked for a script, not for news. In the EU and the UK mail like this needs their consent, with few exceptions. Check the rules that apply to you first.'

interface OpenProps {
  open: OpenLetter
}

/** The audience of a letter that goes out once, with its count. */
export function ToWhom({ open: { letter, change } }: OpenProps) {
  const trpc = useTRPC()
  const campaigns = useQuery(trpc.mailings.campaigns.queryOptions())
  const audience = useAudience(letter)
  const {
    agreed = 0,
    neverAsked = 0,
    haveTheVersion = 0,
    haveTheOther = 0,
  } = audience.data?.people ?? {}
  return (
    <Section heading="To whom" query={audience}>
      <Radio.Group
        aria-label="To whom"
        value={letter.to}
        onChange={(value) => change({ to: value === 'everyone' ? 'everyone' : 'consented' })}
      >
        <Stack>
          <Radio value="consented" label={`People who agreed to news: ${formatNumber(agreed)}`} />
          <Radio
            value="everyone"
            label={`Everyone on the list: ${formatNumber(agreed + neverAsked)}`}
            description={consentLaw}
          />
        </Stack>
      </Radio.Group>
      <MultiSelect
        mt="sm"
        label="Only people who came by"
        placeholder={letter.campaigns ? '' : 'All campaigns and imports'}
        searchable
        data={[...new Set(['none', ...(campaigns.data ?? []), ...(letter.campaigns ?? [])])].map(
          (value) => ({ value, label: campaignTitle(value) }),
        )}
        value={letter.campaigns ?? []}
        onChange={(chosen) => change({ campaigns: chosen.length > 0 ? chosen : null })}
      />
      {letter.version !== null && haveTheVersion > 0 && (
        <Soft mt="xs">
          {counted(haveTheVersion, 'person', 'people')} got this version or a newer one with the
          starter mail, and {haveTheVersion === 1 ? 'is' : 'are'} left out.
        </Soft>
      )}
      {letter.notMailing !== null && haveTheOther > 0 && (
        <Soft mt="xs">
          {counted(haveTheOther, 'person', 'people')} got the letter before, and{' '}
          {haveTheOther === 1 ? 'is' : 'are'} left out.
        </Soft>
      )}
    </Section>
  )
}

/** People by the reason why they get a letter or not. */
export function useAudience({ id, revision }: Letter) {
  const trpc = useTRPC()
  return useQuery({
    ...trpc.mailings.audience.queryOptions({ id, revision }),
    placeholderData: keepPreviousData,
  })
}

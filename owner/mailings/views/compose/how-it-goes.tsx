import { Checkbox, NumberInput, Radio, Stack, TagsInput, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { firstHourMails, hoursFor, isPace, returnedLimit } from '#owner/mailings/pace/slow-start.ts'
import { type RouterOutputs, useTRPC } from '#owner/desk/views/api/trpc.ts'
import { counted, formatNumber } from '#owner/desk/views/format/format.ts'
import { Disclosure } from '#owner/desk/views/parts/disclosure.tsx'
import type { Loading } from '#owner/desk/views/parts/fault.tsx'
import { Section } from '#owner/desk/views/parts/outline/section.tsx'
import { Soft } from '#owner/desk/views/parts/text.tsx'
import { consentLaw } from './send-section.tsx'
import type { Choices, MailKind } from './use-choices.ts'

type Audiences = RouterOutputs['announce']['audiences']

interface ToWhomProps {
  kind: MailKind
  choices: Choices
  /** Their data is undefined while they are counted. */
  audiences: Loading & { data: Audiences | undefined }
  onChange: (changed: Partial<Choices>) => void
}

export function ToWhom({ kind, choices, audiences, onChange }: ToWhomProps) {
  const trpc = useTRPC()
  const campaigns = useQuery(trpc.announce.campaigns.queryOptions())
  const label = (name: string, count: number | undefined): ReactNode =>
    count === undefined ? name : `${name}: ${formatNumber(count)}`
  const have = audiences.data?.have ?? 0
  return (
    <Section heading="To whom" query={audiences}>
      <Radio.Group
        aria-label="To whom"
        value={choices.to}
        onChange={(value) => onChange({ to: value === 'everyone' ? 'everyone' : 'consented' })}
      >
        <Stack>
          <Radio
            value="consented"
            label={label('Those who asked for news', audiences.data?.consented)}
          />
          <Radio
            value="everyone"
            label={label('Everyone on the list', audiences.data?.everyone)}
            description={consentLaw}
          />
        </Stack>
      </Radio.Group>
      <TagsInput
        mt="sm"
        label="Only of these campaigns"
        description="Empty: all campaigns. none: people who came without one."
        data={campaigns.data ?? []}
        value={choices.campaigns}
        onChange={(chosen) => onChange({ campaigns: chosen })}
      />
      {kind === 'version' && (
        <Soft mt="xs">
          Those who signed up after the version came out are left out: they have it.
        </Soft>
      )}
      {kind === 'letter' && have > 0 && (
        <Soft mt="xs">
          {counted(have, 'person has', 'people have')} a letter of this subject, and{' '}
          {have === 1 ? 'is' : 'are'} left out.
        </Soft>
      )}
    </Section>
  )
}

/** 0 is valid: no pace was chosen. */
export function isValidPace(mostPerHour: number): boolean {
  return mostPerHour === 0 || isPace(mostPerHour)
}

/** Mails an hour. The server accepts no higher pace. */
const fastest = 1_000_000

interface HowFastProps {
  choices: Choices
  /** Null: there is no ceiling. */
  siteMailsPerHour: number | null
  /** It is undefined if no audience was chosen. */
  people: number | undefined
  onChange: (changed: Partial<Choices>) => void
}

export function HowFast({ choices, siteMailsPerHour, people, onChange }: HowFastProps) {
  const { mostPerHour, isSlowStart } = choices
  return (
    <Section heading="How fast">
      <NumberInput
        label="At most … an hour"
        min={1}
        max={siteMailsPerHour ?? fastest}
        allowDecimal={false}
        placeholder={siteMailsPerHour === null ? 'no limit' : formatNumber(siteMailsPerHour)}
        value={mostPerHour || ''}
        error={isValidPace(mostPerHour) ? undefined : 'At least one mail an hour.'}
        onChange={(value) => onChange({ mostPerHour: Number(value) })}
      />
      {isValidPace(mostPerHour) && (
        <Soft mt="xs">{describePace(choices, siteMailsPerHour, people)}</Soft>
      )}
      <Disclosure words="Leave the slow start out" isOpen={!isSlowStart}>
        <Soft>
          Mail providers are wary of a sender who suddenly mails many people. A slow start shows
          them that your mail is wanted, and if something is wrong it pauses before most people are
          mailed. Leave it out only if you mail about as many people each week from this address, or
          if all of them can get it within the first hours anyway. A burst from an address that is
          not known for it lands in spam, and so does the mail to new sign-ups after it.
        </Soft>
        <Checkbox
          mt="xs"
          label="I have read this. Send at full speed from the first hour"
          checked={!isSlowStart}
          onChange={(event) => onChange({ isSlowStart: !event.currentTarget.checked })}
        />
      </Disclosure>
    </Section>
  )
}

function describePace(
  { mostPerHour, isSlowStart }: Choices,
  siteMailsPerHour: number | null,
  people: number | undefined,
): string {
  // A slow start that begins at its cap does not double.
  const isEven = !isSlowStart || (mostPerHour > 0 && mostPerHour <= firstHourMails)
  const evenPace =
    mostPerHour === 0
      ? 'As fast as the site’s ceiling allows.'
      : `At most ${formatNumber(mostPerHour)} an hour.`
  const cap = mostPerHour === 0 ? '' : `, up to ${formatNumber(mostPerHour)}`
  const slowStart = `It begins with ${firstHourMails} in the first hour and doubles each hour${cap}.`
  const pace = isEven ? evenPace : slowStart
  const hours = hoursFor(people ?? 0, {
    ...(isSlowStart ? { mostPerHour: mostPerHour || null } : { perHour: mostPerHour || fastest }),
    siteMailsPerHour: siteMailsPerHour ?? Infinity,
  })
  const time = people ? ` Takes about ${counted(hours, 'hour')}.` : ''
  return `${pace} Sign-up mail goes first. It pauses automatically above ${100 * returnedLimit} % returned, or at two complaints among 1,000.${time}`
}

interface WhenProps {
  /** Empty: a minute after it was confirmed. */
  sendAt: string
  onChange: (sendAt: string) => void
}

export function When({ sendAt, onChange }: WhenProps) {
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone
  return (
    <Section heading="When">
      <TextInput
        type="datetime-local"
        label="Send at"
        description={`In your zone, ${zone}. Empty: a minute after you confirm. Until then you can take it back.`}
        value={sendAt}
        onChange={(event) => onChange(event.target.value)}
      />
    </Section>
  )
}

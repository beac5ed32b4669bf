import { NumberInput, Radio, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import {
  firstHourMails,
  hoursFor,
  returnedLimit,
} from '../../../../announcements/pace/slow-start.ts'
import { type RouterInputs, type RouterOutputs, useTRPC } from '../../api/trpc.ts'
import { counted, formatNumber, formatUtcDay } from '../../format/format.ts'
import { Section } from '../../parts/outline/section.tsx'
import { Soft } from '../../parts/text.tsx'
import { law, SendSection } from './send-section.tsx'
import { ShownMail } from './shown-mail.tsx'
import { type Choices, type MailKind, useChoices } from './use-choices.ts'

type AnnounceState = RouterOutputs['announce']['show']
type Audiences = RouterOutputs['announce']['audiences']

interface ComposeProps {
  kind: MailKind
  state: AnnounceState
}

/**
 * A mail in the making: its words, audience and pace, and the button that starts it; beside them
 * the mail as it arrives.
 */
export function Compose({ kind, state }: ComposeProps) {
  const trpc = useTRPC()
  const [choices, choose] = useChoices(kind, state)
  const [subjectError, setSubjectError] = useState<string>()
  const audiences = useQuery(trpc.announce.audiences.queryOptions({ kind }))
  const { subject, text, to, mostPerHour } = choices
  const isComplete = kind === 'version' || Boolean(subject.trim() && text.trim())
  const obstacle = kind === 'letter' ? null : state.versionObstacle
  const people = to === '' ? undefined : audiences.data?.[to]
  const { siteMailsPerHour } = state
  return (
    <SimpleGrid>
      <div>
        <Words
          kind={kind}
          version={state.version}
          choices={choices}
          subjectError={subjectError}
          onChange={(changed) => {
            setSubjectError(undefined)
            choose(changed)
          }}
        />
        <ToWhom
          kind={kind}
          to={to}
          audiences={audiences.data}
          query={audiences}
          onChange={(chosen) => choose({ to: chosen })}
        />
        <HowFast
          mostPerHour={mostPerHour}
          siteMailsPerHour={siteMailsPerHour}
          people={people}
          onChange={(most) => choose({ mostPerHour: most })}
        />
        <SendSection
          order={{ kind, subject, text, to: to || 'consented', mostPerHour: mostPerHour || null }}
          people={isComplete && obstacle === null && isPace(mostPerHour) ? people : undefined}
          missing={describeMissing({ obstacle, isComplete, to, mostPerHour })}
          onSubjectError={setSubjectError}
        />
      </div>
      <Preview draft={{ kind, subject, text }} />
    </SimpleGrid>
  )
}

/** 0: none was chosen. */
function isPace(mostPerHour: number): boolean {
  return mostPerHour === 0 || (Number.isInteger(mostPerHour) && mostPerHour >= 1)
}

interface Missing {
  obstacle: AnnounceState['versionObstacle']
  isComplete: boolean
  to: Choices['to']
  mostPerHour: number
}

function describeMissing({ obstacle, isComplete, to, mostPerHour }: Missing): string {
  if (obstacle === 'announced') return 'This version was announced.'
  if (obstacle === 'everybody-has-it') return 'Everybody on the list has this version.'
  if (!isComplete) return 'It has no subject or no text yet.'
  if (!isPace(mostPerHour)) return 'Choose a number of mails an hour first.'
  return to === '' ? 'Choose to whom first.' : 'Nobody would get it.'
}

interface WordsProps {
  kind: MailKind
  version: AnnounceState['version']
  choices: Choices
  subjectError: string | undefined
  onChange: (changed: Partial<Choices>) => void
}

function Words({ kind, version, choices, subjectError, onChange }: WordsProps) {
  return (
    <Section {...headFor(kind, version)}>
      <Stack mt="sm">
        <TextInput
          label="Subject"
          value={choices.subject}
          error={subjectError}
          onChange={(event) => onChange({ subject: event.target.value })}
        />
        <Textarea
          {...textField[kind]}
          value={choices.text}
          onChange={(event) => onChange({ text: event.target.value })}
        />
      </Stack>
    </Section>
  )
}

const textField = {
  version: {
    label: 'A word from you, if you like',
    placeholder: 'Two or three lines, above the notes',
  },
  letter: {
    label: 'Text',
    description:
      'Markdown: **bold**, [a link](https://example.com), - a list. An empty line parts paragraphs.',
    autosize: true,
    minRows: 10,
  },
}

function headFor(kind: MailKind, version: AnnounceState['version']) {
  if (kind === 'letter' || !version) {
    return { heading: 'Your letter', note: 'The draft is kept here until it is sent.' }
  }
  return {
    heading: `Version ${version.version}`,
    note: `Of ${formatUtcDay(version.date)}, from the release notes in content/releases.ts.`,
    rows: version.changes.map((change) => ({ words: change.replaceAll(/[`*]/g, '') })),
  }
}

interface ToWhomProps {
  kind: MailKind
  to: Choices['to']
  /** Undefined: they are not counted yet. */
  audiences: Audiences | undefined
  query: { error: unknown; refetch: () => unknown }
  onChange: (to: keyof Audiences) => void
}

function ToWhom({ kind, to, audiences, query, onChange }: ToWhomProps) {
  const label = (name: string, count: number | undefined): ReactNode =>
    count === undefined ? name : `${name}: ${formatNumber(count)}`
  return (
    <Section heading="To whom" query={query}>
      <Radio.Group
        aria-label="To whom"
        value={to}
        onChange={(value) => onChange(value === 'everyone' ? 'everyone' : 'consented')}
      >
        <Stack>
          <Radio
            value="consented"
            label={label('Those who asked for news', audiences?.consented)}
          />
          <Radio
            value="everyone"
            label={label('Everyone on the list', audiences?.everyone)}
            description={law}
          />
        </Stack>
      </Radio.Group>
      {kind === 'version' && (
        <Soft mt="xs">
          Those who signed up after the version came out are left out: they have it.
        </Soft>
      )}
    </Section>
  )
}

interface HowFastProps {
  /** 0: none was chosen. */
  mostPerHour: number
  /** Null: there is no ceiling. */
  siteMailsPerHour: number | null
  /** Undefined: no audience was chosen. */
  people: number | undefined
  onChange: (mostPerHour: number) => void
}

function HowFast({ mostPerHour, siteMailsPerHour, people, onChange }: HowFastProps) {
  return (
    <Section heading="How fast">
      <NumberInput
        label="At most … an hour"
        min={1}
        max={siteMailsPerHour ?? 1_000_000}
        allowDecimal={false}
        placeholder={siteMailsPerHour === null ? 'no limit' : formatNumber(siteMailsPerHour)}
        value={mostPerHour || ''}
        error={isPace(mostPerHour) ? undefined : 'At least one mail an hour.'}
        onChange={(value) => onChange(Number(value))}
      />
      {isPace(mostPerHour) && (
        <Soft mt="xs">{describePace(mostPerHour, siteMailsPerHour, people)}</Soft>
      )}
    </Section>
  )
}

function describePace(
  mostPerHour: number,
  siteMailsPerHour: number | null,
  people: number | undefined,
): string {
  const end = mostPerHour === 0 ? '' : `, up to ${formatNumber(mostPerHour)}`
  const pace =
    mostPerHour > 0 && mostPerHour <= firstHourMails
      ? `At most ${formatNumber(mostPerHour)} an hour.`
      : `It begins with ${firstHourMails} in the first hour and doubles each hour${end}.`
  const limits = {
    perHour: null,
    mostPerHour: mostPerHour || null,
    siteMailsPerHour: siteMailsPerHour ?? Infinity,
  }
  const time = people ? ` Takes about ${counted(hoursFor(people, limits), 'hour')}.` : ''
  return `${pace} Sign-up mail goes first. It pauses automatically above ${100 * returnedLimit} % returned, or at two complaints among 1,000.${time}`
}

interface PreviewProps {
  draft: RouterInputs['announce']['preview']
}

/** Follows what is typed, a moment later. */
function Preview({ draft }: PreviewProps) {
  const trpc = useTRPC()
  const [settled] = useDebouncedValue(draft, 300)
  const preview = useQuery({
    ...trpc.announce.preview.queryOptions(settled),
    placeholderData: keepPreviousData,
  })
  return <ShownMail heading="As it arrives" mail={preview.data} query={preview} />
}

import { SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { type RouterInputs, type RouterOutputs, useTRPC } from '#owner/desk/views/api/trpc.ts'
import { useSettled } from '#owner/desk/views/api/use-settled.ts'
import { formatUtcDay } from '#owner/desk/views/format/format.ts'
import { Section } from '#owner/desk/views/parts/outline/section.tsx'
import { HowFast, isValidPace, ToWhom, When } from './how-it-goes.tsx'
import { LetterFields } from './letter-fields.tsx'
import { SendSection } from './send-section.tsx'
import { ShownMail } from '../shown-mail.tsx'
import {
  type Choices,
  type MailKind,
  type OpenDraft,
  useLetterChoices,
  useVersionChoices,
} from './use-choices.ts'

type AnnounceState = RouterOutputs['announce']['show']
type Version = NonNullable<AnnounceState['version']>

interface ComposeVersionProps {
  version: Version
  state: AnnounceState
}

export function ComposeVersion({ version, state }: ComposeVersionProps) {
  const [choices, choose] = useVersionChoices(version.subject)
  return (
    <Compose kind="version" state={state} choices={choices} choose={choose}>
      <VersionFields version={version} choices={choices} onChange={choose} />
    </Compose>
  )
}

interface ComposeLetterProps {
  draft: OpenDraft
  state: AnnounceState
}

export function ComposeLetter({ draft, state }: ComposeLetterProps) {
  const [choices, choose] = useLetterChoices(draft)
  const [subjectError, setSubjectError] = useState<string>()
  const change = (changed: Partial<Choices>) => {
    setSubjectError(undefined)
    choose(changed)
  }
  return (
    <Compose
      kind="letter"
      draft={draft.id}
      state={state}
      choices={choices}
      choose={choose}
      onSubjectError={setSubjectError}
    >
      <Section heading="Your letter">
        <LetterFields words={choices} subjectError={subjectError} onChange={change} />
      </Section>
    </Compose>
  )
}

interface ComposeProps {
  kind: MailKind
  /** The draft of a letter. */
  draft?: string
  state: AnnounceState
  choices: Choices
  choose: (changed: Partial<Choices>) => void
  onSubjectError?: (message: string | undefined) => void
  /** The fields of its words. */
  children: ReactNode
}

/**
 * A mail in the making: its words, audience, pace and moment, and the button that starts it; beside
 * them the mail as it arrives.
 */
function Compose(props: ComposeProps) {
  const { kind, draft, state, choices, choose, onSubjectError = () => {}, children } = props
  const { subject, preview, text, to, campaigns, mostPerHour, isSlowStart, sendAt } = choices
  const chosenCampaigns = campaigns.length > 0 ? campaigns : undefined
  const audiences = useAudiences({ kind, subject, campaigns: chosenCampaigns })
  const obstacle = findObstacle(kind, state, choices)
  const people = to === '' ? undefined : audiences.data?.[to]
  return (
    <SimpleGrid>
      <div>
        {children}
        <ToWhom kind={kind} choices={choices} audiences={audiences} onChange={choose} />
        <HowFast
          choices={choices}
          siteMailsPerHour={state.siteMailsPerHour}
          people={people}
          onChange={choose}
        />
        <When sendAt={sendAt} onChange={(at) => choose({ sendAt: at })} />
        <SendSection
          order={{
            kind,
            subject,
            preview,
            text,
            to: to || 'consented', // nothing is sent before one is chosen
            campaigns: chosenCampaigns,
            mostPerHour: mostPerHour || null,
            isSlowStart,
            sendAt: sendAt === '' ? null : Date.parse(sendAt),
            draft,
          }}
          people={obstacle === undefined ? people : undefined}
          obstacle={obstacle ?? 'Nobody would get it.'}
          onSubjectError={onSubjectError}
        />
      </div>
      <Preview draft={{ kind, subject, preview, text }} />
    </SimpleGrid>
  )
}

/** Counts them again a moment after the subject was typed: a letter of it may have been sent. */
function useAudiences(counted: RouterInputs['announce']['audiences']) {
  const trpc = useTRPC()
  const settled = useSettled(counted, { ms: 500 })
  return useQuery({
    ...trpc.announce.audiences.queryOptions(settled),
    placeholderData: keepPreviousData,
  })
}

/** The reason why it cannot be sent. Undefined: there is none. */
function findObstacle(
  kind: MailKind,
  { versionObstacle }: AnnounceState,
  { subject, text, to, mostPerHour, sendAt }: Choices,
): string | undefined {
  if (kind === 'version' && versionObstacle === 'announced') return 'This version was announced.'
  if (kind === 'version' && versionObstacle === 'everybody-has-it') {
    return 'Everybody on the list has this version.'
  }
  if (kind === 'letter' && !(subject.trim() && text.trim())) {
    return 'It has no subject or no text yet.'
  }
  if (/!\[\s*\]\(\/pictures\//.test(text)) return 'A picture has no description yet.'
  if (!isValidPace(mostPerHour)) return 'Choose a number of mails an hour first.'
  if (sendAt !== '' && !(Date.parse(sendAt) > Date.now())) return 'This time has passed.'
  return to === '' ? 'Choose who gets it first.' : undefined
}

interface VersionFieldsProps {
  version: Version
  choices: Choices
  onChange: (changed: Partial<Choices>) => void
}

function VersionFields({ version, choices, onChange }: VersionFieldsProps) {
  return (
    <Section
      heading={`Version ${version.version}`}
      note={`Released on ${formatUtcDay(version.date)}. From the release notes in the view Page, under Versions.`}
      rows={version.changes.map((change) => ({ words: change.replaceAll(/[`*]/g, '') }))}
    >
      <Stack mt="sm">
        <TextInput
          label="Subject"
          value={choices.subject}
          onChange={(event) => onChange({ subject: event.target.value })}
        />
        <Textarea
          label="A word from you, if you like"
          placeholder="Two or three lines, above the notes"
          value={choices.text}
          onChange={(event) => onChange({ text: event.target.value })}
        />
      </Stack>
    </Section>
  )
}

interface PreviewProps {
  draft: RouterInputs['announce']['preview']
}

/** Follows what is typed, a moment later. */
export function Preview({ draft }: PreviewProps) {
  const trpc = useTRPC()
  const settled = useSettled(draft, { ms: 300 })
  const preview = useQuery({
    ...trpc.announce.preview.queryOptions(settled),
    placeholderData: keepPreviousData,
  })
  return <ShownMail heading="As it arrives" mail={preview.data} query={preview} />
}

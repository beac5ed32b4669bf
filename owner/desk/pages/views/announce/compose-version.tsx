import { SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core'
import { type AnnounceState, useRemembered } from '../../api.ts'
import { dayName } from '../../format.ts'
import { Section } from '../../parts/parts.tsx'
import { MailPreview } from './mail-preview.tsx'
import { Sending } from './sending.tsx'

/** Keeps the typed text until it is sent, also while another view is open. */
export function ComposeVersion({ state }: { state: AnnounceState }) {
  const { version: kit } = state
  const [subject, setSubject] = useRemembered('announce-subject', kit?.subject ?? '')
  const [note, setNote] = useRemembered('announce-note', '')
  if (!kit)
    return (
      <Section
        heading="No release notes"
        note="Write those of the kit’s version in content/releases.ts, then restart."
      />
    )
  const { version, date, changes } = kit
  const draft = { kind: 'version' as const, subject, text: note }
  return (
    <SimpleGrid>
      <div>
        <Section
          heading={`Version ${version}`}
          note={`Of ${dayName(date)}, from the release notes in content/releases.ts.`}
          rows={changes.map((change) => ({ words: change.replaceAll(/[`*]/g, '') }))}
        >
          <Stack maw={620}>
            <TextInput label="Subject" value={subject} onChange={(event) => setSubject(event.target.value)} />
            <Textarea
              label="A word from you, if you like"
              value={note}
              placeholder="Two or three lines, above the notes"
              onChange={(event) => setNote(event.target.value)}
            />
          </Stack>
        </Section>
        <Sending draft={draft} state={state} canStart={state.canStartVersion} />
      </div>
      <MailPreview draft={draft} />
    </SimpleGrid>
  )
}

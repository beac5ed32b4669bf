import { Stack, Textarea, TextInput } from '@mantine/core'
import { type AnnounceState, useRemembered } from '../../api.ts'
import { dayName } from '../../format.ts'
import { Section } from '../../parts/parts.tsx'
import { Sending } from './sending.tsx'

/** Keeps the typed text until it is sent, also while another view is open. */
export function ComposeVersion({ state }: { state: AnnounceState }) {
  const { version: kit } = state
  const [subject, setSubject] = useRemembered('announce-subject', kit?.subject ?? '')
  const [text, setText] = useRemembered('announce-note', '')
  if (!kit)
    return (
      <Section
        heading="No release notes"
        note="Write those of the kit’s version in content/releases.ts, then restart."
      />
    )
  return (
    <Sending draft={{ kind: 'version', subject, text }} state={state} canStart={state.canStartVersion}>
      <Section
        heading={`Version ${kit.version}`}
        note={`Of ${dayName(kit.date)}, from the release notes in content/releases.ts.`}
        rows={kit.changes.map((change) => ({ words: change.replaceAll(/[`*]/g, '') }))}
      >
        <Stack>
          <TextInput label="Subject" value={subject} onChange={(event) => setSubject(event.target.value)} />
          <Textarea
            label="A word from you, if you like"
            value={text}
            placeholder="Two or three lines, above the notes"
            onChange={(event) => setText(event.target.value)}
          />
        </Stack>
      </Section>
    </Sending>
  )
}

import { Stack, Textarea, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'
import { tell } from '../../parts/acts.tsx'
import { type AnnounceState, api, messageOf } from '../../api.ts'
import { Section } from '../../parts/parts.tsx'
import { Sending } from './sending.tsx'

const saveAfterMs = 800

/** A letter in Markdown. Its draft is kept by the server. */
export function ComposeLetter({ state }: { state: AnnounceState }) {
  const [letter, setLetter] = useState(state.letter)
  const save = useDebouncedCallback((changed: typeof letter) => {
    api.announce.saveLetter.mutate(changed).catch((error: unknown) => tell(messageOf(error), true))
  }, saveAfterMs)
  const change = (part: Partial<typeof letter>) => {
    const changed = { ...letter, ...part }
    setLetter(changed)
    save(changed)
  }
  const isWritten = letter.subject.trim() !== '' && letter.text.trim() !== ''
  return (
    <Sending draft={{ kind: 'letter', ...letter }} state={state} canStart={isWritten}>
      <Section heading="Your letter" note="The draft is kept here until it is sent.">
        <Stack>
          <TextInput
            label="Subject"
            value={letter.subject}
            onChange={(event) => change({ subject: event.target.value })}
          />
          <Textarea
            label="Text"
            description="Markdown: **bold**, [a link](https://example.com), - a list. An empty line parts paragraphs."
            autosize
            minRows={10}
            value={letter.text}
            onChange={(event) => change({ text: event.target.value })}
          />
        </Stack>
      </Section>
    </Sending>
  )
}

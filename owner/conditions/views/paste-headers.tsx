import { Group, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTRPC } from '#owner/desk/views/api/trpc.ts'
import { ActionButton } from '#owner/desk/views/parts/actions/action-button.tsx'
import { useFollowUp } from '#owner/desk/views/parts/actions/follow-up.ts'
import { Disclosure } from '#owner/desk/views/parts/disclosure.tsx'
import { Section } from '#owner/desk/views/parts/outline/section.tsx'
import { PastedText } from '#owner/desk/views/parts/pasted-text.tsx'
import { Soft } from '#owner/desk/views/parts/text.tsx'

/** The headers come first; the rest of the mail is not needed. */
const sentCharacters = 20_000

/** A form for headers: only a receiver can tell whether mail is signed. */
export function PasteHeaders() {
  const trpc = useTRPC()
  const followUp = useFollowUp()
  const [headers, setHeaders] = useState('')
  const paste = useMutation(
    trpc.conditions.pasteHeaders.mutationOptions(
      followUp({ refresh: [trpc.today.state.queryFilter()], done: 'The check-up reads them.' }),
    ),
  )
  return (
    <Section heading="What a receiver found">
      <Disclosure words="Paste the headers of the test mail">
        <Stack maw={620}>
          <Soft>
            Press “Send me a test mail” and open it in your mail program. Choose “Show original”
            (Gmail), “View message source” (Outlook) or “All headers” (Apple Mail), and paste what
            it shows. It proves the signature of your mail (DKIM) and SPF.
          </Soft>
          <PastedText
            name="headers"
            label="Headers of the test mail"
            value={headers}
            onChange={setHeaders}
          />
          <Group>
            <ActionButton
              mutation={paste}
              input={{ headers: headers.slice(0, sentCharacters) }}
              disabled={headers.trim() === ''}
            >
              Read them
            </ActionButton>
          </Group>
        </Stack>
      </Disclosure>
    </Section>
  )
}

import { Group } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useTRPC } from '#owner/desk/views/api/trpc.ts'
import { counted, formatDayAndTime } from '#owner/desk/views/format/format.ts'
import { ActionButton } from '#owner/desk/views/parts/actions/action-button.tsx'
import { ConfirmButton } from '#owner/desk/views/parts/actions/confirm-button.tsx'
import { useFollowUp } from '#owner/desk/views/parts/actions/follow-up.ts'
import { Section } from '#owner/desk/views/parts/outline/section.tsx'
import { Soft } from '#owner/desk/views/parts/text.tsx'
import { consentLaw, useAudience } from './to-whom.tsx'
import type { OpenLetter } from './use-letter.ts'

interface OpenProps {
  open: OpenLetter
}

/** Sends a test, and a letter that goes out once. */
export function Send({ open: { letter, status } }: OpenProps) {
  const trpc = useTRPC()
  const followUp = useFollowUp()
  const { id, subject, sendAt, to, afterDays } = letter
  const refresh = [trpc.mailings.pathFilter(), trpc.today.state.queryFilter()]
  const audience = useAudience(letter)
  const send = useMutation(trpc.mailings.send.mutationOptions(followUp({ refresh })))
  const test = useMutation(
    trpc.mailings.test.mutationOptions(
      followUp({ refresh: [], done: 'A test is on its way to you.' }),
    ),
  )
  const people = audience.data?.recipients
  const words = counted(people ?? 0, 'person', 'people')
  const begins = sendAt === null ? 'in a minute' : formatDayAndTime(sendAt)
  const isSaved = status === 'Saved'
  return (
    <Section heading={afterDays === null ? 'Send' : 'Test'}>
      <Group gap="xs">
        {afterDays === null && (
          <ConfirmButton
            words={people ? `Send to ${words}` : 'Send'}
            variant="filled"
            disabled={!isSaved || !people}
            heading={`Send “${subject}” to ${words}?`}
            mutation={send}
            input={{ id }}
          >
            {to === 'everyone' ? consentLaw : `The first mail goes ${begins}.`}
          </ConfirmButton>
        )}
        <ActionButton mutation={test} input={{ id }} disabled={!isSaved}>
          Send a test to me
        </ActionButton>
      </Group>
      {afterDays === null && (
        <Soft mt="xs">
          {people
            ? `The first mail goes ${begins}. Until then you can take it back.`
            : 'Nobody would get it yet.'}
        </Soft>
      )}
    </Section>
  )
}

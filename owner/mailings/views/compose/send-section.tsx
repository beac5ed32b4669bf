import { Group } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { fieldError } from '#owner/desk/views/api/errors.ts'
import { type RouterInputs, useTRPC } from '#owner/desk/views/api/trpc.ts'
import { counted, formatDayAndTime } from '#owner/desk/views/format/format.ts'
import { go } from '#owner/desk/views/navigation/location.ts'
import { ActionButton } from '#owner/desk/views/parts/actions/action-button.tsx'
import { ConfirmButton } from '#owner/desk/views/parts/actions/confirm-button.tsx'
import { useFollowUp } from '#owner/desk/views/parts/actions/follow-up.ts'
import { Section } from '#owner/desk/views/parts/outline/section.tsx'
import { Soft } from '#owner/desk/views/parts/text.tsx'

export const consentLaw =
  'They asked for a script, not for news. In the EU and the UK mail like this needs their consent, with few exceptions. Check the rules that apply to you first.'

interface SendSectionProps {
  order: RouterInputs['announce']['start']
  /** How many get it. Undefined or 0: it cannot be sent. */
  people: number | undefined
  /** Why it cannot be sent. */
  obstacle: string
  onSubjectError: (message: string | undefined) => void
}

export function SendSection({ order, people, obstacle, onSubjectError }: SendSectionProps) {
  const trpc = useTRPC()
  const followUp = useFollowUp()
  const { kind, subject, preview, text, sendAt } = order
  const refresh = [
    trpc.announce.pathFilter(),
    trpc.letters.drafts.queryFilter(),
    trpc.today.state.queryFilter(),
  ]
  const start = useMutation(
    trpc.announce.start.mutationOptions({
      ...followUp({ refresh }),
      onSuccess: (name) => go(`announce/${name}`),
      onError: (error) => onSubjectError(fieldError(error, 'subject')),
    }),
  )
  const test = useMutation(
    trpc.announce.test.mutationOptions(
      followUp({ refresh: [], done: 'A test is on its way to you.' }),
    ),
  )
  const audience = counted(people ?? 0, 'person', 'people')
  const begins = sendAt ? `on ${formatDayAndTime(sendAt)}` : 'a minute later'
  return (
    <Section heading="Send">
      <Group gap="xs">
        <ConfirmButton
          words={people ? `Announce to ${audience}` : 'Announce'}
          variant="filled"
          disabled={!people}
          heading={`Send “${subject}” to ${audience}?`}
          mutation={start}
          input={order}
        >
          {order.to === 'everyone' ? consentLaw : `The first mail goes ${begins}.`}
        </ConfirmButton>
        <ActionButton mutation={test} input={{ kind, subject, preview, text }}>
          Send a test to me
        </ActionButton>
      </Group>
      <Soft mt="xs">
        {people ? `The first mail goes ${begins}. Until then you can take it back.` : obstacle}
      </Soft>
    </Section>
  )
}

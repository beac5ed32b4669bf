import { TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { errorMessage } from '#owner/desk/views/api/errors.ts'
import { useFollowUp } from '#owner/desk/views/parts/actions/follow-up.ts'
import { type RouterOutputs, useTRPC } from '#owner/desk/views/api/trpc.ts'
import { go } from '#owner/desk/views/navigation/location.ts'
import { ActionButton } from '#owner/desk/views/parts/actions/action-button.tsx'
import { ConfirmButton } from '#owner/desk/views/parts/actions/confirm-button.tsx'
import { Section } from '#owner/desk/views/parts/outline/section.tsx'

interface PersonProps {
  person: RouterOutputs['people']['show']
}

export function PersonActions({ person }: PersonProps) {
  const { state, mails } = person
  const isMailOnItsWay = mails.some(
    (mail) => mail.letter === null && (mail.state === 'queued' || mail.state === 'sending'),
  )
  return (
    <>
      {state === 'active' && !isMailOnItsWay && <SendAgain person={person} />}
      {(state === 'active' || state === 'undeliverable') && (
        <CorrectAddress person={person} isMailOnItsWay={isMailOnItsWay} />
      )}
      {state === 'active' && <Unsubscribe person={person} />}
      {person.canPutBack && <PutBack person={person} />}
    </>
  )
}

function useChangedQueries() {
  const trpc = useTRPC()
  return [trpc.people.pathFilter(), trpc.mail.pathFilter()]
}

function SendAgain({ person: { id } }: PersonProps) {
  const trpc = useTRPC()
  const followUp = useFollowUp()
  const refresh = useChangedQueries()
  const sendAgain = useMutation(
    trpc.people.sendAgain.mutationOptions(followUp({ refresh, done: 'The mail goes out again.' })),
  )
  return (
    <ActionButton variant="filled" mutation={sendAgain} input={{ id }}>
      Send the mail again
    </ActionButton>
  )
}

interface CorrectAddressProps extends PersonProps {
  /** Until it has gone out the address stays. */
  isMailOnItsWay: boolean
}

function CorrectAddress({ person: { id, address }, isMailOnItsWay }: CorrectAddressProps) {
  const trpc = useTRPC()
  const followUp = useFollowUp()
  const refresh = useChangedQueries()
  const [typed, setTyped] = useState(address)
  const done = 'Corrected. The mail goes out to the new address.'
  const correct = useMutation(trpc.people.correct.mutationOptions(followUp({ refresh, done })))
  return (
    <ConfirmButton
      words="Correct the address"
      disabled={isMailOnItsWay}
      heading="Correct the address"
      label="Save"
      mutation={correct}
      input={{ id, address: typed }}
      isFaultAtField
    >
      <TextInput
        label="Address"
        description="The mail with the link goes out to the new address. Links in mails to the old one stop working."
        type="email"
        value={typed}
        error={errorMessage(correct.error)}
        onChange={(event) => setTyped(event.target.value)}
        autoComplete="off"
        data-autofocus
      />
    </ConfirmButton>
  )
}

function Unsubscribe({ person: { id } }: PersonProps) {
  const trpc = useTRPC()
  const followUp = useFollowUp()
  const refresh = useChangedQueries()
  const unsubscribe = useMutation(trpc.people.unsubscribe.mutationOptions(followUp({ refresh })))
  return (
    <ConfirmButton words="Unsubscribe" mutation={unsubscribe} input={{ id }}>
      No more mail goes to this person, unless they sign up again. The personal page keeps working.
    </ConfirmButton>
  )
}

function PutBack({ person: { id } }: PersonProps) {
  const trpc = useTRPC()
  const followUp = useFollowUp()
  const refresh = useChangedQueries()
  const putBack = useMutation(trpc.people.putBack.mutationOptions(followUp({ refresh })))
  return (
    <ConfirmButton words="Put them back on the list" mutation={putBack} input={{ id }}>
      You took them off. Their consent is as before; no mail goes out now.
    </ConfirmButton>
  )
}

export function ErasePerson({ id, address }: { id: number; address: string }) {
  const trpc = useTRPC()
  const followUp = useFollowUp()
  const { onSuccess, onSettled } = followUp({
    refresh: [
      trpc.people.search.pathFilter(),
      trpc.people.countFound.pathFilter(),
      trpc.people.onTheList.pathFilter(),
      trpc.mail.pathFilter(),
    ],
    done: 'Erased. The last traces leave the database files within the hour.',
  })
  const erase = useMutation(
    trpc.people.erase.mutationOptions({
      onSuccess: () => {
        onSuccess()
        go('people')
      },
      onSettled,
    }),
  )
  return (
    <Section heading="Erase">
      <ConfirmButton
        words="Erase this person"
        heading={`Erase ${address}?`}
        label="Erase for good"
        mutation={erase}
        input={{ id }}
      >
        This deletes the address, its history and the personal page. The links in their mail stop
        working. Backups made before still hold the address. This cannot be undone.
      </ConfirmButton>
    </Section>
  )
}

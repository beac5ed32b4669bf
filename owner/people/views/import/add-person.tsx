import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { errorMessage } from '#owner/desk/views/api/errors.ts'
import { useTRPC } from '#owner/desk/views/api/trpc.ts'
import { ConfirmButton } from '#owner/desk/views/parts/actions/confirm-button.tsx'
import { useFollowUp } from '#owner/desk/views/parts/actions/follow-up.ts'

/** Puts one person on the list. */
export function AddPerson() {
  const trpc = useTRPC()
  const followUp = useFollowUp()
  const form = useForm({ initialValues: { address: '', consentedOn: '' } })
  const { address, consentedOn } = form.values
  const refresh = [trpc.people.pathFilter()]
  const add = useMutation(
    trpc.import.addPerson.mutationOptions(followUp({ refresh, done: 'Added.' })),
  )
  return (
    <ConfirmButton
      words="Add one person"
      heading="Add one person"
      label="Add"
      mutation={add}
      input={{ address, consentedOn: consentedOn || undefined }}
      isFaultAtField
    >
      <TextInput
        label="Address"
        type="email"
        required
        {...form.getInputProps('address')}
        error={errorMessage(add.error)}
        autoComplete="off"
        data-autofocus
      />
      <TextInput
        type="date"
        label="Agreed to news on"
        description="Only if you can show it. They get no mail now."
        {...form.getInputProps('consentedOn')}
      />
    </ConfirmButton>
  )
}

import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { suggestAddress } from '#contract/address-slip.ts'
import { errorMessage, fieldError } from '../api/errors.ts'
import { Fault } from '../parts/fault.tsx'

interface AddressFormProps {
  /** The words of the button that sends it. */
  words: string
  send: (email: string) => void
  isPending: boolean
  error: unknown
}

/**
 * The owner's address. A likely slip is asked about: the desk opens for whoever reads that inbox.
 */
export function AddressForm({ words, send, isPending, error }: AddressFormProps) {
  const [email, setEmail] = useState('')
  const [meant, setMeant] = useState<string>()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const suggested = suggestAddress(email.trim())
    if (suggested === undefined) send(email)
    else setMeant(suggested)
  }
  const decide = (address: string) => {
    setEmail(address)
    setMeant(undefined)
    send(address)
  }
  const change = (value: string) => {
    setEmail(value)
    setMeant(undefined)
  }
  const atField = fieldError(error, 'email')
  return (
    <Stack component="form" onSubmit={submit}>
      <TextInput
        type="email"
        name="email"
        label="Your email address"
        autoComplete="email"
        value={email}
        onChange={(event) => change(event.target.value)}
        error={atField}
        required
        withAsterisk={false}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the only field of the page or dialog
        autoFocus
      />
      {meant === undefined ? (
        <div>
          <Button variant="filled" type="submit" loading={isPending}>
            {words}
          </Button>
        </div>
      ) : (
        <div role="group" aria-label="A likely slip">
          <Text role="status">Did you mean {meant}?</Text>
          <Group mt="xs">
            <Button variant="filled" onClick={() => decide(meant)}>
              Yes, use it
            </Button>
            <Button onClick={() => decide(email)}>No, keep {email}</Button>
          </Group>
        </div>
      )}
      {atField === undefined && <Fault>{errorMessage(error)}</Fault>}
    </Stack>
  )
}

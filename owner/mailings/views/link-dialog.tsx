import { Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { completeAddress } from '../letters/complete-address.ts'

interface LinkDialogProps {
  /** What is selected in the text. */
  selected: string
  onClose: () => void
  onLink: (link: { words: string; address: string }) => void
}

/** Asks for the words and the address of a link. */
export function LinkDialog({ selected, onClose, onLink }: LinkDialogProps) {
  const [words, setWords] = useState(selected)
  const [address, setAddress] = useState('')
  const [error, setError] = useState<string>()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const whole = completeAddress(address)
    if (whole === undefined) setError('This is not an address. Write one such as example.com/page.')
    else onLink({ words: words.trim() || whole, address: whole })
  }
  return (
    <Modal opened onClose={onClose} title="Link">
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label="Words"
            value={words}
            onChange={(event) => setWords(event.target.value)}
          />
          <TextInput
            label="Address"
            placeholder="example.com/page"
            data-autofocus
            inputMode="url"
            value={address}
            error={error}
            onChange={(event) => {
              setError(undefined)
              setAddress(event.target.value)
            }}
          />
          <Group>
            <Button variant="filled" type="submit">
              Insert the link
            </Button>
            <Button onClick={onClose}>Go back</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

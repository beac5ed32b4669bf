import { Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { completeAddress } from '../../letters/complete-address.ts'

interface LinkDialogProps {
  /** What is selected in the text. */
  selected: string
  onClose: () => void
  onLink: (link: { words: string; address: string }) => void
}

/** Asks for the words and the address of a link. */
export function LinkDialog({ selected, onClose, onLink }: LinkDialogProps) {
  const form = useForm({
    initialValues: { words: selected, address: '' },
    validate: {
      address: (typed) =>
        completeAddress(typed) === undefined &&
        'This is not an address. Write one such as example.com/page.',
    },
    transformValues: ({ words, address }) => {
      const whole = completeAddress(address) ?? ''
      return { words: words.trim() || whole, address: whole }
    },
  })
  return (
    <Modal opened onClose={onClose} title="Link">
      <form onSubmit={form.onSubmit(onLink)}>
        <Stack>
          <TextInput label="Link text" {...form.getInputProps('words')} />
          <TextInput
            label="Address"
            placeholder="example.com/page"
            data-autofocus
            inputMode="url"
            {...form.getInputProps('address')}
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

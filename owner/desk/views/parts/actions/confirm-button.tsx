import { Button, type ButtonProps, Group, Modal, Stack } from '@mantine/core'
import { type FormEvent, type MouseEvent, type ReactNode, useState } from 'react'
import { errorMessage } from '#owner/desk/views/api/errors.ts'
import { Fault } from '../fault.tsx'
import { type ButtonMutation, isSecondOfDoubleClick } from './action-button.tsx'

interface ConfirmButtonProps<Input> extends ButtonProps {
  /** On the button that opens the dialog. */
  words: string
  /** For a screen reader, if the words alone do not tell which one. */
  'aria-label'?: string
  heading?: string
  /** On the button in the dialog that acts. */
  label?: string
  mutation: ButtonMutation<Input>
  input: Input
  /** A field of the dialog shows the fault itself. */
  isFaultAtField?: boolean
  /** Sentences that say what will happen, and fields. */
  children: ReactNode
}

/** A button that asks in a dialog before it acts. */
export function ConfirmButton<Input>({
  words,
  heading = `${words}?`,
  label = words,
  mutation,
  input,
  isFaultAtField = false,
  children,
  ...look
}: ConfirmButtonProps<Input>) {
  const [isOpen, setOpen] = useState(false)
  const open = () => {
    if (!mutation.isPending) mutation.reset()
    setOpen(true)
  }
  const close = () => setOpen(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    mutation.mutate(input, { onSuccess: close })
  }
  const ignoreSecondClick = (event: MouseEvent) => {
    if (isSecondOfDoubleClick(event)) event.preventDefault()
  }
  return (
    <>
      <Button {...look} onClick={open}>
        {words}
      </Button>
      <Modal opened={isOpen} onClose={close} title={heading} closeOnClickOutside={false}>
        <form onSubmit={submit}>
          <Stack>
            {children}
            {!isFaultAtField && <Fault>{errorMessage(mutation.error)}</Fault>}
            <Group>
              <Button
                variant="filled"
                type="submit"
                loading={mutation.isPending}
                onClick={ignoreSecondClick}
              >
                {label}
              </Button>
              <Button onClick={close}>Go back</Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  )
}

import { Button, type ButtonProps, Group, Modal, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { messageOf, refresh } from '../api.ts'

/** Says what came of an act. */
export function tell(message: string, isFault = false): void {
  notifications.show({
    message,
    color: isFault ? 'down' : 'up',
    autoClose: isFault ? 12_000 : 6_000,
  })
}

interface ActButtonProps extends ButtonProps {
  words: string
  'aria-label'?: string
  /** `fields`: those of the dialog, by their names. */
  act: (fields: FormData) => Promise<unknown>
  /** Said afterwards. */
  done?: string
  /** In a dialog that comes first: what will happen, and fields. */
  ask?: ReactNode
  /** The heading of that dialog. */
  heading?: string
  /** The words of the button that acts, in that dialog. */
  label?: string
}

/** Asks where it must, acts, says what came of it, and brings the screen up to date. */
export function ActButton({
  act,
  done,
  ask,
  words,
  heading = `${words}?`,
  label = words,
  ...look
}: ActButtonProps) {
  const [isAsked, setAsked] = useState(false)
  const close = () => setAsked(false)
  const { mutate, isPending } = useMutation({
    // Stays busy for half a second: the second click of a double click does nothing.
    mutationFn: (fields: FormData) =>
      act(fields).finally(() => new Promise((end) => setTimeout(end, 500))),
    onSuccess: () => {
      close()
      if (done !== undefined) tell(done)
    },
    onError: (error) => tell(messageOf(error), true),
    onSettled: refresh,
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    mutate(new FormData(event.currentTarget))
  }
  return (
    <>
      <Button
        {...look}
        loading={isPending && !isAsked}
        onClick={() => (ask ? setAsked(true) : mutate(new FormData()))}
      >
        {words}
      </Button>
      <Modal opened={isAsked} onClose={close} title={heading} closeOnClickOutside={false}>
        <form onSubmit={submit}>
          <Stack>
            {ask}
            <Group>
              <Button variant="filled" type="submit" loading={isPending}>
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

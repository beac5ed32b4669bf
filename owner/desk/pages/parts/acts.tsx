import { Button, type ButtonProps, Group, Modal, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { messageOf, refresh } from '../api.ts'

/** Says what came of an act. */
export function tell(message: string, isFault = false): void {
  notifications.show({ message, color: isFault ? 'down' : 'up', autoClose: isFault ? 12_000 : 6_000 })
}

interface ActButtonProps extends ButtonProps {
  children: string
  'aria-label'?: string
  act: () => Promise<unknown>
  /** Said afterwards. */
  done?: string
  /** In a dialog that comes first: what will happen, and fields. */
  ask?: ReactNode
  /** The heading of that dialog. */
  heading?: string
  /** The button of that dialog that acts. */
  label?: string
}

/** Asks where it must, acts, says what came of it, and brings the screen up to date. */
export function ActButton({
  act,
  done,
  ask,
  children,
  heading = `${children}?`,
  label = children,
  ...look
}: ActButtonProps) {
  const [isAsked, setAsked] = useState(false)
  const close = () => setAsked(false)
  const { mutate, isPending } = useMutation({
    mutationFn: act,
    onSuccess: () => {
      close()
      if (done !== undefined) tell(done)
    },
    onError: (error) => tell(messageOf(error), true),
    onSettled: refresh,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    mutate()
  }
  return (
    <>
      <Button {...look} loading={isPending && !isAsked} onClick={() => (ask ? setAsked(true) : mutate())}>
        {children}
      </Button>
      <Modal opened={isAsked} onClose={close} title={heading}>
        <Stack component="form" onSubmit={submit}>
          {ask}
          <Group>
            <Button variant="filled" type="submit" loading={isPending}>
              {label}
            </Button>
            <Button onClick={close}>Cancel</Button>
          </Group>
        </Stack>
      </Modal>
    </>
  )
}

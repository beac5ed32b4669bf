import { Button, type ButtonProps } from '@mantine/core'
import type { MouseEvent, ReactNode } from 'react'
import { errorMessage } from '#owner/desk/views/api/errors.ts'
import { notifyFault } from './notify.ts'

/** The part of a mutation that a button needs. */
export interface ButtonMutation<Input> {
  mutate(input: Input, then: { onSuccess?: () => void; onError?: (error: unknown) => void }): void
  reset(): void
  isPending: boolean
  error: unknown
}

interface ActionButtonProps<Input> extends ButtonProps {
  mutation: ButtonMutation<Input>
  input: Input
  children: ReactNode
  'aria-label'?: string
}

/** A button that acts at once. A fault is said as a notice: there is no field for it. */
export function ActionButton<Input>({ mutation, input, ...look }: ActionButtonProps<Input>) {
  const press = (event: MouseEvent) => {
    if (isSecondOfDoubleClick(event)) return
    mutation.mutate(input, { onError: (error) => notifyFault(errorMessage(error) ?? '') })
  }
  return <Button {...look} loading={mutation.isPending} onClick={press} />
}

/** It was meant for what the first click did. */
export function isSecondOfDoubleClick(event: MouseEvent): boolean {
  return event.detail > 1
}

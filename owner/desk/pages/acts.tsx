import { Button, type ButtonProps, Modal } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { hasCode, messageOf, needsProof, queries, refresh, sessionKey, useSession, useToday } from './api.ts'
import { Glyph } from './parts.tsx'
import { CodeField, OtherDoors, useProof } from './proof.tsx'

/** Says what came of an act. */
export function tell(message: string, mark: 'ok' | 'wrong' = 'ok'): void {
  notifications.show({ message, icon: <Glyph of={mark} />, autoClose: mark === 'ok' ? 6_000 : 12_000 })
}

/** Acts, says what came of it, and brings the screen up to date. */
export function useAct<Input>(act: (input: Input) => Promise<unknown>, done?: string) {
  return useMutation({
    mutationFn: act,
    onSuccess: () => done !== undefined && tell(done),
    onError: (error) => tell(messageOf(error), 'wrong'),
    onSettled: refresh,
  })
}

/** Returns why nothing can be changed now; undefined: it can. */
export function useNoWrites(): string | undefined {
  const isAway = hasCode(useToday().error, 'SERVICE_UNAVAILABLE')
  return isAway ? 'The database does not answer: nothing can be changed now.' : undefined
}

interface ActButtonProps extends ButtonProps {
  children: ReactNode
  act: () => Promise<unknown>
  /** Said afterwards. */
  done?: string
  'aria-label'?: string
}

export function ActButton({ act, done, disabled = false, children, ...props }: ActButtonProps) {
  const noWrites = useNoWrites()
  const { mutate, isPending } = useAct(act, done)
  return (
    <Button
      {...props}
      loading={isPending}
      disabled={disabled || noWrites !== undefined}
      onClick={() => mutate(undefined)}
    >
      {children}
    </Button>
  )
}

interface DialogProps {
  heading: ReactNode
  children?: ReactNode
  /** The label of the button is the act. */
  label: string
  /** Asks for a fresh code if the last proof is too old. */
  isProofNeeded?: boolean
  act: () => Promise<unknown>
}

interface ActDialogProps extends Omit<DialogProps, 'heading' | 'label'> {
  /** The words of the button that opens it, and the default of heading and label. */
  button: string
  heading?: ReactNode
  label?: string
  buttonProps?: ButtonProps & { 'aria-label'?: string }
  isOpenAtFirst?: boolean
}

/** A button, and a dialog that says what will happen, asks for proof where it must, and does it. */
export function ActDialog({ button, buttonProps, isOpenAtFirst = false, ...dialog }: ActDialogProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  const isAway = useNoWrites() !== undefined
  const { heading = `${button}?`, label = button, ...rest } = dialog
  return (
    <>
      <Button
        {...buttonProps}
        disabled={isAway || buttonProps?.disabled === true}
        onClick={() => setOpen(true)}
      >
        {button}
      </Button>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title={heading}>
        <ActForm {...rest} label={label} close={() => setOpen(false)} />
      </Modal>
    </>
  )
}

function ActForm({
  children,
  label,
  isProofNeeded = false,
  act,
  close,
}: Omit<DialogProps, 'heading'> & { close: () => void }) {
  const [asksProof, setAsksProof] = useState(isProofNeeded && isProofOld)
  const proof = useProof()
  useEffect(() => {
    if (asksProof) proof.mail()
  }, [asksProof])
  const { mutate, isPending } = useMutation({
    mutationFn: async (prove?: () => Promise<boolean>) => {
      if (prove && !(await prove())) return
      await act()
      close()
      await refresh()
    },
    onError: (error) => (needsProof(error) ? setAsksProof(true) : proof.setError(messageOf(error))),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    mutate(asksProof ? proof.byCode : undefined)
  }
  return (
    <form onSubmit={submit} className="act-form">
      {children}
      {asksProof ? (
        <>
          <p>
            <strong>First show that it is you.</strong> We have just sent a code to the owner.
          </p>
          <CodeField proof={proof} />
          <OtherDoors proof={proof} onPasskey={() => mutate(proof.byPasskey)} />
        </>
      ) : (
        <Fault>{proof.error}</Fault>
      )}
      <p className="actions">
        <Button variant="filled" type="submit" loading={isPending}>
          {label}
        </Button>
        <Button onClick={close}>Cancel</Button>
      </p>
    </form>
  )
}

export function Fault({ children }: { children: string }) {
  if (!children) return null
  return (
    <p className="fault" role="alert">
      <Glyph of="wrong" />
      {children}
    </p>
  )
}

function isProofOld(): boolean {
  return (queries.getQueryData(sessionKey())?.proofEndsAt ?? 0) < Date.now()
}

/** Over the view when the session has ended: what was typed there is kept. */
export function SignedOutDialog() {
  const { data: session, error, refetch } = useSession()
  if (!session || !hasCode(error, 'UNAUTHORIZED')) return null
  /** Forgets that the last call was refused. */
  const close = () => queries.setQueryData(sessionKey(), { ...session })
  return (
    <Modal opened onClose={close} title="You were signed out">
      <ActForm label="Sign in" act={() => refetch({ throwOnError: true })} isProofNeeded close={close}>
        <p>Sign in again: what you typed is still here.</p>
      </ActForm>
    </Modal>
  )
}

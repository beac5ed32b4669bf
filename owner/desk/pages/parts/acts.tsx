import { Button, type ButtonProps, Modal } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { isSignedOut, messageOf, needsProof, queries, refresh, sessionKey, useSession } from '../api.ts'
import { Fault, Glyph } from './parts.tsx'
import { CodeField, useProof } from './proof.tsx'

/** Says what came of an act. */
export function tell(message: string, mark: 'ok' | 'wrong' = 'ok'): void {
  notifications.show({ message, icon: <Glyph of={mark} />, autoClose: mark === 'ok' ? 6_000 : 12_000 })
}

type ButtonLook = ButtonProps & { 'aria-label'?: string }

interface ActButtonProps extends ButtonLook {
  children: ReactNode
  act: () => Promise<unknown>
  /** Said afterwards. */
  done?: string
}

/** Acts, says what came of it, and brings the screen up to date. */
export function ActButton({ act, done, children, ...look }: ActButtonProps) {
  const { mutate, isPending } = useMutation({
    mutationFn: act,
    onSuccess: () => done !== undefined && tell(done),
    onError: (error) => tell(messageOf(error), 'wrong'),
    onSettled: refresh,
  })
  return (
    <Button {...look} loading={isPending} onClick={() => mutate()}>
      {children}
    </Button>
  )
}

interface ActFormProps {
  children?: ReactNode
  /** The label of the button is the act. */
  label: string
  /** Asks for a fresh code if the last proof is too old. */
  isProofNeeded?: boolean
  act: () => Promise<unknown>
}

interface ActDialogProps extends Omit<ActFormProps, 'label'> {
  /** The words of the button that opens it, and the default of heading and label. */
  button: string
  heading?: string
  label?: string
  look?: ButtonLook
}

/** A button, and a dialog that says what will happen, asks for proof where it must, and does it. */
export function ActDialog({ button, heading, label, look, ...form }: ActDialogProps) {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <Button {...look} onClick={() => setOpen(true)}>
        {button}
      </Button>
      <Modal opened={isOpen} onClose={close} title={heading ?? `${button}?`}>
        <ActForm {...form} label={label ?? button} close={close} />
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
}: ActFormProps & { close: () => void }) {
  const proof = useProof({ isWanted: isProofNeeded && isProofOld() })
  const { mutate, isPending } = useMutation({
    mutationFn: async (prove?: () => Promise<boolean>) => {
      if (prove && !(await prove())) return
      await act()
      close()
      await refresh()
    },
    onError: (error) => (needsProof(error) ? proof.mail() : proof.setError(messageOf(error))),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    mutate(proof.isAsked ? proof.byCode : undefined)
  }
  return (
    <form onSubmit={submit} className="stack">
      {children}
      {proof.isAsked ? (
        <>
          <p>
            <strong>First show that it is you.</strong> We have just sent a code to the owner.
          </p>
          <CodeField proof={proof} onPasskey={() => mutate(proof.byPasskey)} />
        </>
      ) : (
        <Fault>{proof.error}</Fault>
      )}
      <div className="actions">
        <Button variant="filled" type="submit" loading={isPending}>
          {label}
        </Button>
        <Button onClick={close}>Cancel</Button>
      </div>
    </form>
  )
}

function isProofOld(): boolean {
  const session = queries.getQueryState(sessionKey())
  return session?.status !== 'success' || (session.data?.proofEndsAt ?? 0) < Date.now()
}

/** Over the view when the session has ended: what was typed there is kept. */
export function SignedOutDialog() {
  const { data: session, error, refetch } = useSession()
  if (!session || !isSignedOut(error)) return null
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

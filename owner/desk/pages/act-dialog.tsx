import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useEffect, useId, useState } from 'react'
import { startAuthentication } from '@simplewebauthn/browser'
import { Dialog, DialogTrigger, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { AlertDiamond } from '#pages/ui/glyphs.tsx'
import type { Session } from '../contract.ts'
import { ActButton, messageOf } from './acts.tsx'
import { call, hasCode, updateSession, queries, refresh, useSession } from './api.ts'
import { counted, timeOf } from './format.ts'
import { Button, type ButtonProps } from './parts.tsx'

export type Proof = ReturnType<typeof useProof>

/** Proof of who is there, by a mailed code or a passkey. Mails a code once one is wanted; reading it in another window mails no second one. */
export function useProof(isWanted: boolean) {
  const mailed = useQuery({
    queryKey: ['mailed-code'],
    queryFn: () => call('POST sign-in/mail-code', {}),
    enabled: isWanted,
    staleTime: Infinity,
    gcTime: 0,
  })
  const [code, setCode] = useState('')
  const [error, setError] = useState('')
  /** Resolves to false if the attempt failed. */
  const prove = async (attempt: () => Promise<Session>, failed?: string) => {
    setError('')
    try {
      updateSession(await attempt())
      return true
    } catch (reason) {
      setError(failed ?? proofError(reason))
      return false
    }
  }
  return {
    mailed: mailed.data,
    mail: () => (setError(''), mailed.refetch()),
    code,
    setCode,
    error: error || (mailed.error?.message ?? ''),
    setError,
    byCode: () => prove(() => call('POST sign-in/code', { code })),
    byPasskey: () => prove(askForPasskey, 'The passkey was not taken.'),
    byLink: (token: string) => prove(() => call('POST sign-in/link', { token })),
  }
}

function proofError(reason: unknown): string {
  const triesLeft = hasCode(reason, 'wrong-proof') && reason.details.triesLeft
  return triesLeft ? `${messageOf(reason)} ${counted(triesLeft, 'try', 'tries')} left.` : messageOf(reason)
}

async function askForPasskey(): Promise<Session> {
  const options = await call('POST sign-in/passkey-options', {})
  const optionsJSON = options as Parameters<typeof startAuthentication>[0]['optionsJSON'] // the contract's
  return call('POST sign-in/passkey', { response: await startAuthentication({ optionsJSON }) })
}

export function useOffer() {
  return useQuery({ queryKey: ['offer'], queryFn: () => call('GET sign-in', {}) }).data
}

/** `children`: between the field and what is wrong with it. */
export function CodeField({ proof, children }: { proof: Proof; children?: ReactNode }) {
  const id = useId()
  return (
    <>
      <label className="label" htmlFor={id}>
        Code
      </label>
      <input
        className="field code-field"
        id={id}
        value={proof.code}
        onChange={(event) => proof.setCode(event.target.value)}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={20}
        required // an empty one would cost a try
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the only field of the page or dialog that asks for it
        autoFocus
        {...(proof.error && { 'aria-invalid': true, 'aria-describedby': `${id}-error` })}
      />
      {children}
      <ErrorLine id={`${id}-error`}>{proof.error}</ErrorLine>
    </>
  )
}

export function ErrorLine({ children, id }: { children: string; id?: string }) {
  if (!children) return null
  return (
    <p className="fault" role="alert" id={id}>
      <AlertDiamond />
      {children}
    </p>
  )
}

/** Below the field: other ways in. */
export function OtherDoors({ proof, onPasskey }: { proof: Proof; onPasskey: () => unknown }) {
  const offer = useOffer()
  const now = useNow()
  return (
    <p className="other-doors">
      {proof.mailed && now < proof.mailed.nextAt ? (
        <span className="soft">Another one can be mailed at {timeOf(proof.mailed.nextAt)}.</span>
      ) : (
        <Button kind="link" onPress={proof.mail}>
          Mail another code
        </Button>
      )}
      {offer?.hasPasskeys && (
        <Button kind="link" onPress={onPasskey}>
          Use a passkey
        </Button>
      )}
    </p>
  )
}

/** The time, every 5 s. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 5_000)
    return () => clearInterval(timer)
  }, [])
  return now
}

interface DialogProps {
  heading: ReactNode
  children?: ReactNode
  /** The label of the button is the act. */
  label: string
  /** Asks for a fresh code if the last proof is too old. */
  needsProof?: boolean
  act: () => unknown
  keep?: string
}

interface ActDialogProps extends Omit<DialogProps, 'heading' | 'label'> {
  /** The words of the button that opens it, and the default of heading and label. */
  button: string
  heading?: ReactNode
  label?: string
  buttonProps?: Omit<ButtonProps, 'children' | 'onPress'>
  isOpenAtFirst?: boolean
  onTurn?: (isOpen: boolean) => void
}

/** A button, and a dialog that says what will happen, asks for proof where it must, and does it. */
export function ActDialog({ button, buttonProps, isOpenAtFirst = false, onTurn, ...dialog }: ActDialogProps) {
  return (
    <DialogTrigger defaultOpen={isOpenAtFirst} {...(onTurn && { onOpenChange: onTurn })}>
      <ActButton {...buttonProps}>{button}</ActButton>
      <ModalOverlay className="overlay">
        <ActModal heading={`${button}?`} label={button} {...dialog} />
      </ModalOverlay>
    </DialogTrigger>
  )
}

function ActModal(props: DialogProps) {
  return (
    <Modal className="modal">
      <Dialog className="dialog">{({ close }) => <ActForm {...props} close={close} />}</Dialog>
    </Modal>
  )
}

function ActForm(props: DialogProps & { close: () => void }) {
  const { heading, children, label, needsProof = false, act, keep = 'Keep', close } = props
  const [asksProof, setAsksProof] = useState(needsProof && isProofOld)
  const proof = useProof(asksProof)
  const { mutate, isPending } = useMutation({
    mutationFn: async (prove?: () => Promise<boolean>) => {
      proof.setError('')
      if (prove && !(await prove())) return
      await act()
      close()
      await refresh()
    },
    onError: (error) =>
      hasCode(error, 'proof-needed', 'signed-out') ? setAsksProof(true) : proof.setError(messageOf(error)),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    mutate(asksProof ? proof.byCode : undefined)
  }
  return (
    <form onSubmit={submit}>
      <Heading slot="title" level={2}>
        {heading}
      </Heading>
      {children}
      {asksProof ? (
        <>
          <p className="proof">
            <strong>First show that it is you.</strong> We have just mailed a code to the owner.
          </p>
          <CodeField proof={proof} />
          <OtherDoors proof={proof} onPasskey={() => mutate(proof.byPasskey)} />
        </>
      ) : (
        <ErrorLine>{proof.error}</ErrorLine>
      )}
      <p className="actions">
        <Button kind="main" type="submit" isBusy={isPending}>
          {label}
        </Button>
        <Button onPress={close}>{keep}</Button>
      </p>
    </form>
  )
}

function isProofOld(): boolean {
  const session = queries.getQueryState<Session>(['session'])
  return session?.status !== 'success' || (session.data?.proofEndsAt ?? 0) < Date.now()
}

/** Over the view when the session has ended: what was typed there is kept. */
export function SignedOutDialog() {
  const { data: session, error } = useSession()
  if (!session || !hasCode(error, 'signed-out')) return null
  return (
    <ModalOverlay className="overlay" isOpen onOpenChange={forgetError}>
      <ActModal heading="You were signed out" label="Sign in" act={() => call('GET session', {})} needsProof>
        <p>Sign in again: what you typed is still here.</p>
      </ActModal>
    </ModalOverlay>
  )
}

/** Forgets that the last call was refused. */
function forgetError(): void {
  queries.setQueryData<Session>(['session'], (session) => session)
}

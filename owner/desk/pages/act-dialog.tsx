import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { startAuthentication } from '@simplewebauthn/browser'
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { deskText } from '#content/desk.ts'
import type { CodeAsked, Session } from '../contract.ts'
import { call, isFault, queries, refresh } from './api.ts'
import { timeOf } from './format.ts'
import { AlertDiamond } from '#pages/ui/glyphs.tsx'
import { Button, useNow } from './parts.tsx'

const { signIn: words, proof } = deskText

/** Mails a code once it is wanted. Reading it in another window mails no second one. */
export function useMailedCode(isWanted: boolean) {
  const { data, error, refetch } = useQuery<CodeAsked>({
    queryKey: ['mailed-code'],
    queryFn: () => call('POST sign-in/mail-code', {}),
    enabled: isWanted,
    staleTime: Infinity,
    gcTime: 0,
  })
  const [code, setCode] = useState('')
  const [fault, setFault] = useState('')
  const now = useNow()
  /** Returns if the code was right. */
  const prove = async (): Promise<boolean> => {
    try {
      noteSession(await call('POST sign-in/code', { code }))
      return true
    } catch (reason) {
      setFault(codeFault(reason))
      return false
    }
  }
  const mail = () => {
    setFault('')
    return refetch()
  }
  const mayMailAgain = data === undefined || now >= data.nextAt
  return {
    asked: data,
    mayMailAgain,
    code,
    setCode,
    fault: fault || (error?.message ?? ''),
    setFault,
    mail,
    prove,
  }
}

function codeFault(reason: unknown): string {
  if (!isFault(reason, 'wrong-proof')) return reason instanceof Error ? reason.message : ''
  return reason.triesLeft === 0 || reason.triesLeft === undefined
    ? words.usedUp
    : words.wrong(reason.triesLeft)
}

export function noteSession(session: Session): void {
  queries.setQueryData(['session'], session)
  queries.setQueryData(['is-over'], false)
}

/** Returns false if the device or the server did not take it. */
export async function provePasskey(): Promise<boolean> {
  try {
    const options = await call('POST sign-in/passkey-options', {})
    const optionsJSON = options as Parameters<typeof startAuthentication>[0]['optionsJSON'] // the contract's
    noteSession(await call('POST sign-in/passkey', { response: await startAuthentication({ optionsJSON }) }))
    return true
  } catch {
    return false
  }
}

export function useOffer() {
  return useQuery({ queryKey: ['offer'], queryFn: () => call('GET sign-in', {}) }).data
}

type MailedCode = ReturnType<typeof useMailedCode>

/** `children`: between the field and what is wrong with it. */
export function CodeField({ mailed, children }: { mailed: MailedCode; children?: ReactNode }) {
  const id = useId()
  return (
    <>
      <label className="label" htmlFor={id}>
        {words.code}
      </label>
      <input
        className="field code-field"
        id={id}
        value={mailed.code}
        onChange={(event) => mailed.setCode(event.target.value)}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={20}
        required // an empty one would cost a try
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the only field of the page or dialog that asks for it
        autoFocus
        {...(mailed.fault && { 'aria-invalid': true, 'aria-describedby': `${id}-fault` })}
      />
      {children}
      <Fault id={`${id}-fault`}>{mailed.fault}</Fault>
    </>
  )
}

export function Fault({ children, id }: { children: string; id?: string }) {
  return (
    <div role="alert" id={id}>
      {children && (
        <p className="fault">
          <AlertDiamond />
          {children}
        </p>
      )}
    </div>
  )
}

/** Below the field: other ways in. */
export function OtherDoors({ mailed, onPasskey }: { mailed: MailedCode; onPasskey: () => unknown }) {
  const offer = useOffer()
  const nextAt = mailed.asked?.nextAt
  return (
    <p className="other-doors">
      {mailed.mayMailAgain || nextAt === undefined ? (
        <Button kind="link" onPress={mailed.mail}>
          {words.another}
        </Button>
      ) : (
        <span className="soft">{words.anotherFrom(timeOf(nextAt))}</span>
      )}
      {offer?.hasPasskeys && (
        <Button kind="link" onPress={onPasskey}>
          {words.passkey}
        </Button>
      )}
    </p>
  )
}

interface ActDialogProps {
  heading: ReactNode
  children?: ReactNode
  /** The label of the button is the act. */
  label: string
  /** Asks for a fresh code if the last proof is too old. */
  needsProof?: boolean
  act: () => Promise<unknown>
  onClose: () => void
  keep?: string
}

/** Says what will happen, asks for proof where it must, and does it by one button. */
export function ActDialog(props: ActDialogProps) {
  return (
    <ModalOverlay className="overlay" isOpen onOpenChange={(isOpen) => !isOpen && props.onClose()}>
      <Modal className="modal">
        <Dialog className="dialog">
          <ActForm {...props} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

function ActForm(props: ActDialogProps) {
  const { heading, children, label, needsProof = false, act, onClose, keep = deskText.keep } = props
  const [asksProof, setAsksProof] = useState(() => needsProof && isProofOld())
  const [isBusy, setBusy] = useState(false)
  const mailed = useMailedCode(asksProof)
  const perform = async (prove?: () => Promise<boolean>) => {
    setBusy(true)
    mailed.setFault('')
    try {
      if (prove && !(await prove())) return
      await act()
      onClose()
      await refresh()
    } catch (reason) {
      if (isFault(reason, 'proof-needed', 'signed-out')) setAsksProof(true)
      else mailed.setFault(reason instanceof Error ? reason.message : String(reason))
    } finally {
      setBusy(false)
    }
  }
  const byPasskey = () =>
    perform(async () => {
      const isProved = await provePasskey()
      if (!isProved) mailed.setFault(words.passkeyFailed)
      return isProved
    })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void perform(asksProof ? mailed.prove : undefined)
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
            <strong>{proof.lead}</strong> {proof.mailed}
          </p>
          <CodeField mailed={mailed} />
          <OtherDoors mailed={mailed} onPasskey={byPasskey} />
        </>
      ) : (
        <Fault>{mailed.fault}</Fault>
      )}
      <p className="actions">
        <button className="button" type="submit" disabled={isBusy}>
          {label}
        </button>
        <Button onPress={onClose}>{keep}</Button>
      </p>
    </form>
  )
}

function isProofOld(): boolean {
  return (queries.getQueryData<Session>(['session'])?.proofEndsAt ?? 0) < Date.now()
}

/** Over the view when the session has ended: what was typed there is kept. */
export function SignedOutDialog() {
  const { data: isOver } = useQuery({ queryKey: ['is-over'], queryFn: () => false, staleTime: Infinity })
  if (!isOver) return null
  return (
    <ActDialog
      heading={proof.overHeading}
      label={words.signIn}
      act={() => call('GET session', {})}
      needsProof
      onClose={() => queries.setQueryData(['is-over'], false)}
    >
      <p>{proof.overText}</p>
    </ActDialog>
  )
}

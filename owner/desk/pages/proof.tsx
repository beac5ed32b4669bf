import { Anchor, TextInput } from '@mantine/core'
import { useInterval } from '@mantine/hooks'
import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
} from '@simplewebauthn/browser'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type Answers, api, messageOf, updateSession } from './api.ts'
import { timeOf } from './format.ts'

export type Proof = ReturnType<typeof useProof>

/** Proof of who is there, by a mailed code or a passkey. */
export function useProof() {
  const [code, setCode] = useState('')
  const [error, setError] = useState('')
  const mailing = useMutation({
    mutationFn: () => api.signIn.mailCode.mutate(),
    onSuccess: () => setError(''),
    onError: (reason) => setError(messageOf(reason)),
  })
  /** Resolves to false if the attempt failed. */
  const prove = async (attempt: () => Promise<Answers['you']['session']>, failed?: string) => {
    setError('')
    try {
      updateSession(await attempt())
      return true
    } catch (reason) {
      setError(failed ?? messageOf(reason))
      return false
    }
  }
  return {
    mailed: mailing.data,
    isMailing: mailing.isPending,
    mail: () => mailing.mutate(),
    code,
    setCode,
    error,
    setError,
    byCode: () => prove(() => api.signIn.byCode.mutate(code)),
    byLink: (token: string) => prove(() => api.signIn.byLink.mutate(token)),
    byPasskey: () =>
      prove(async () => {
        const options = await api.signIn.passkeyOptions.mutate()
        const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON // the same library made them
        const answer = await startAuthentication({ optionsJSON })
        return api.signIn.byPasskey.mutate({ ...answer })
      }, 'The passkey was not accepted. Try again, or use a code.'),
  }
}

export function CodeField({ proof }: { proof: Proof }) {
  return (
    <TextInput
      label="Code"
      size="lg"
      className="code-field"
      value={proof.code}
      onChange={(event) => proof.setCode(event.target.value)}
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={20}
      required // an empty one would cost a try
      withAsterisk={false}
      error={proof.error}
      data-autofocus
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- the only field of the page or dialog that asks for it
      autoFocus
    />
  )
}

/** Below the field: other ways in. */
export function OtherDoors({ proof, onPasskey }: { proof: Proof; onPasskey: () => unknown }) {
  const now = useNow()
  const nextAt = proof.mailed?.nextAt ?? 0
  return (
    <p className="other-doors">
      {now < nextAt ? (
        <span className="soft">You can ask for another code at {timeOf(nextAt)}.</span>
      ) : (
        <Anchor component="button" type="button" onClick={proof.mail}>
          Send another code
        </Anchor>
      )}
      {browserSupportsWebAuthn() && (
        <Anchor component="button" type="button" onClick={() => void onPasskey()}>
          Use a passkey
        </Anchor>
      )}
    </p>
  )
}

/** The time, every 5 s. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now)
  useInterval(() => setNow(Date.now()), 5_000, { autoInvoke: true })
  return now
}

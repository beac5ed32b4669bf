import { TextInput } from '@mantine/core'
import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
} from '@simplewebauthn/browser'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type Answers, api, messageOf, updateSession } from '../api.ts'
import { timeOf } from '../format.ts'
import { LinkButton } from './parts.tsx'

export type Proof = ReturnType<typeof useProof>

/** Proof of who is there, by a mailed code or a passkey. `isWanted`: a code is mailed at once. */
export function useProof({ isWanted = false } = {}) {
  const [code, setCode] = useState('')
  const [error, setError] = useState('')
  const {
    mutate: mail,
    data: mailed,
    status,
  } = useMutation({
    mutationFn: () => api.signIn.mailCode.mutate(),
    onError: (reason) => setError(messageOf(reason)),
  })
  useEffect(() => {
    if (isWanted) mail()
  }, [isWanted, mail])
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
    isAsked: isWanted || status !== 'idle',
    isMailing: status === 'pending',
    mailed,
    mail: () => mail(),
    code,
    setCode,
    error,
    setError,
    byCode: () => prove(() => api.signIn.byCode.mutate(code)),
    byLink: (token: string) => prove(() => api.signIn.byLink.mutate(token)),
    byPasskey: () => prove(signInByPasskey, 'The passkey was not accepted. Try again, or use a code.'),
  }
}

async function signInByPasskey() {
  const options = await api.signIn.passkeyOptions.mutate()
  const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON // the same library made them
  return api.signIn.byPasskey.mutate({ ...(await startAuthentication({ optionsJSON })) })
}

/** The field, the button, and other ways in below it. */
export function CodeField({ proof, onPasskey }: { proof: Proof; onPasskey: () => unknown }) {
  const now = useNow()
  const nextAt = proof.mailed?.nextAt ?? 0
  return (
    <>
      <TextInput
        label="Code"
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
      <div className="actions">
        {now < nextAt ? (
          <span className="soft">You can ask for another code at {timeOf(nextAt)}.</span>
        ) : (
          <LinkButton onClick={proof.mail}>Send another code</LinkButton>
        )}
        {browserSupportsWebAuthn() && <LinkButton onClick={() => void onPasskey()}>Use a passkey</LinkButton>}
      </div>
    </>
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

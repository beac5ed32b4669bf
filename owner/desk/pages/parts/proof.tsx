import { Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import { useInterval } from '@mantine/hooks'
import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
} from '@simplewebauthn/browser'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { api, messageOf, type Question, useRemembered } from '../api.ts'
import { timeOf } from '../format.ts'
import { LinkButton } from './parts.tsx'

/** The ways to show who is there. `done`: what follows. */
export function useProof(done: () => unknown) {
  const mail = useMutation({ mutationFn: () => api.signIn.mailCode.mutate() })
  const attempt = useMutation({ mutationFn: (way: () => Promise<unknown>) => way(), onSuccess: done })
  const error = attempt.error ?? mail.error
  return { mail, attempt, error: error && messageOf(error) }
}

export async function signInByPasskey(): Promise<void> {
  const options = await api.signIn.passkeyOptions.mutate()
  const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON // the same library made them
  const answer = await startAuthentication({ optionsJSON }).catch(() => {
    throw new Error('The passkey was not accepted. Try again, or use a code.')
  })
  await api.signIn.byPasskey.mutate({ ...answer })
}

/** The field for a mailed code, and the other ways in. */
export function CodeForm({ proof: { mail, attempt, error } }: { proof: ReturnType<typeof useProof> }) {
  const [code, setCode] = useState('')
  const nextAt = mail.data?.nextAt ?? 0
  const isTooEarly = useNow() < nextAt
  const submit = (event: FormEvent) => {
    event.preventDefault()
    attempt.mutate(() => api.signIn.byCode.mutate(code))
  }
  return (
    <Stack component="form" onSubmit={submit}>
      <TextInput
        label="Code"
        size="xl"
        value={code}
        onChange={(event) => setCode(event.target.value)}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={20}
        required // an empty one would cost a try
        withAsterisk={false}
        error={error}
        data-autofocus
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the only field of the page or dialog that asks for it
        autoFocus
      />
      <Group>
        {isTooEarly ? (
          <span className="soft">You can ask for another code at {timeOf(nextAt)}.</span>
        ) : (
          <LinkButton onClick={() => mail.mutate()}>Send another code</LinkButton>
        )}
        {browserSupportsWebAuthn() && (
          <LinkButton onClick={() => attempt.mutate(signInByPasskey)}>Use a passkey</LinkButton>
        )}
      </Group>
      {/* A code works with the cookie that comes with the answer to the asking. */}
      <Button variant="filled" type="submit" loading={attempt.isPending || mail.isPending}>
        Sign in
      </Button>
    </Stack>
  )
}

/** The time, every 5 s. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now)
  useInterval(() => setNow(Date.now()), 5_000, { autoInvoke: true })
  return now
}

/** Over the view while calls wait for a proof of who is there: what was typed there is kept. */
export function ProofDialog() {
  const [question, setQuestion] = useRemembered<Question | undefined>('question', undefined)
  if (!question) return null
  const answer = (isIn: boolean) => {
    question.resolve(isIn)
    setQuestion()
  }
  const title = question.isSignedOut ? 'You were signed out' : 'First confirm that it is you'
  return (
    <Modal opened onClose={() => answer(false)} title={title}>
      <AskForCode done={() => answer(true)} />
    </Modal>
  )
}

function AskForCode({ done }: { done: () => void }) {
  const proof = useProof(done)
  // oxlint-disable-next-line react/exhaustive-deps -- once, when the dialog opens
  useEffect(() => proof.mail.mutate(), [])
  return (
    <Stack>
      <p>We have just sent a code to the owner. What you typed is still here.</p>
      <CodeForm proof={proof} />
    </Stack>
  )
}

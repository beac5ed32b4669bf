import { Button, Code, Group, Modal, Stack, TextInput } from '@mantine/core'
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
import { usePath } from '../location.ts'
import { Disclosure, Fault } from './parts.tsx'

/** The ways to show who is there. `done`: what follows. */
export function useProof(done: () => unknown) {
  const [nextAt, wait] = useRemembered('next-code-at', 0)
  const mail = useMutation({
    mutationFn: () => api.signIn.mailCode.mutate(),
    onSuccess: (mailed) => wait(mailed.nextAt),
  })
  const attempt = useMutation({
    mutationFn: (way: () => Promise<unknown>) => way(),
    onSuccess: done,
  })
  const error = attempt.error ?? mail.error
  return { mail, nextAt, attempt, error: error && messageOf(error) }
}

async function signInByPasskey(): Promise<void> {
  const options = await api.signIn.passkeyOptions.mutate()
  const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON // the same library made them
  const answer = await startAuthentication({ optionsJSON }).catch(() => {
    throw new Error('The passkey was not accepted. Try again, or use a code.')
  })
  await api.signIn.byPasskey.mutate({ ...answer })
}

/** A code by mail, a passkey, or a link made where the server runs. */
export function WaysIn({
  proof: { mail, nextAt, attempt, error },
}: {
  proof: ReturnType<typeof useProof>
}) {
  const [code, setCode] = useState('')
  const [look, which] = nextAt > 0 ? ['default', 'another'] : ['filled', 'a']
  const submit = (event: FormEvent) => {
    event.preventDefault()
    attempt.mutate(() => api.signIn.byCode.mutate(code))
  }
  return (
    <Stack component="form" onSubmit={submit}>
      {nextAt > 0 && (
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
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the only field of the page or dialog that asks for it
          autoFocus
        />
      )}
      <Fault>{error}</Fault>
      <Group>
        {nextAt > 0 && (
          <Button variant="filled" type="submit" loading={attempt.isPending}>
            Sign in
          </Button>
        )}
        {useNow() < nextAt ? (
          <span className="soft">You can ask for another code at {timeOf(nextAt)}.</span>
        ) : (
          <Button
            variant={look}
            loading={mail.isPending}
            onClick={() => mail.mutate()}
            data-autofocus
          >
            Send me {which} code
          </Button>
        )}
        {browserSupportsWebAuthn() && (
          <Button onClick={() => attempt.mutate(signInByPasskey)}>Use a passkey</Button>
        )}
      </Group>
      <Disclosure words="No mail arrives?">
        <p>Run this where the server runs. It prints a link that opens the desk, for 5 minutes.</p>
        <Code>{document.body.dataset['ownerCommand']} desk-link</Code>
      </Disclosure>
    </Stack>
  )
}

/** The time, every 5 s. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now)
  useInterval(() => setNow(Date.now()), 5_000, { autoInvoke: true })
  return now
}

/**
 * Over the view while calls wait for a proof of who is there: what was typed there is kept. Leaving
 * the view drops them.
 */
export function ProofDialog() {
  const [question] = useRemembered<Question | undefined>('question', undefined)
  const path = usePath()
  if (!question) return null
  const lock = question.isSignedOut && { closeOnEscape: false, withCloseButton: false }
  const title = question.isSignedOut ? 'You were signed out' : 'First confirm that it is you'
  return (
    <Modal
      opened
      onClose={() => question.resolve(false)}
      title={title}
      closeOnClickOutside={false}
      {...lock}
    >
      <AskForProof key={path} answer={question.resolve} />
    </Modal>
  )
}

function AskForProof({ answer }: { answer: (isIn: boolean) => void }) {
  const proof = useProof(() => answer(true))
  // oxlint-disable-next-line react/exhaustive-deps -- once, when the view is left
  useEffect(() => () => answer(false), [])
  return (
    <Stack>
      <p>What you typed is still here.</p>
      <WaysIn proof={proof} />
    </Stack>
  )
}

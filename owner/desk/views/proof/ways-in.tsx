import { Anchor, Button, Code, Group, Stack, TextInput } from '@mantine/core'
import { browserSupportsWebAuthn } from '@simplewebauthn/browser'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { errorMessage } from '../api/errors.ts'
import { useTRPC, useTRPCClient } from '../api/trpc.ts'
import { formatTime } from '../format/format.ts'
import { Disclosure } from '../parts/disclosure.tsx'
import { Fault } from '../parts/fault.tsx'
import { Soft } from '../parts/text.tsx'
import { askForPasskey } from './passkey.ts'
import { useProof } from './proof-context.tsx'
import { useNow } from './use-now.ts'

interface WaysInProps {
  /** Called once it is proved who is there. */
  onSignedIn: () => unknown
}

/** A code by mail, a passkey, or a link made where the server runs. */
export function WaysIn({ onSignedIn }: WaysInProps) {
  const trpc = useTRPC()
  const { mailedCode } = useProof()
  const codeGoesTo = useQuery(trpc.signIn.show.queryOptions()).data?.codeGoesTo
  const byCode = useMutation(trpc.signIn.byCode.mutationOptions({ onSuccess: onSignedIn }))
  const [code, setCode] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    byCode.mutate(code)
  }
  return (
    <Stack component="form" onSubmit={submit}>
      {codeGoesTo === 'nowhere' && (
        <Fault>A code cannot be sent: no mail service is set up yet.</Fault>
      )}
      {mailedCode && (
        <TextInput
          label="Code"
          size="xl"
          value={code}
          onChange={(event) => setCode(event.target.value)}
          error={errorMessage(byCode.error)}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={20}
          required // an empty one would cost a try
          withAsterisk={false}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the only field of the page or dialog that asks for it
          autoFocus
        />
      )}
      <Group>
        {mailedCode && (
          <Button variant="filled" type="submit" loading={byCode.isPending}>
            Sign in
          </Button>
        )}
        {codeGoesTo !== 'nowhere' && <MailCode />}
        {browserSupportsWebAuthn() && <UsePasskey onSignedIn={onSignedIn} />}
      </Group>
      {codeGoesTo === 'local-inbox' && (
        <Soft>
          No mail service is set up: the code goes to the{' '}
          <Anchor href="/dev/inbox" target="_blank">
            local inbox
          </Anchor>
          .
        </Soft>
      )}
      <Disclosure key={codeGoesTo} words="No mail arrives?" isOpen={codeGoesTo === 'nowhere'}>
        <p>Run this where the server runs. It prints a link that opens the desk, for 5 minutes.</p>
        <Code>{document.body.dataset['ownerCommand']} desk-link</Code>
      </Disclosure>
    </Stack>
  )
}

function MailCode() {
  const trpc = useTRPC()
  const { mailedCode, setMailedCode } = useProof()
  const mailCode = useMutation(trpc.signIn.mailCode.mutationOptions({ onSuccess: setMailedCode }))
  const now = useNow()
  if (mailedCode && now < mailedCode.nextAt) {
    return <Soft>You can ask for another code at {formatTime(mailedCode.nextAt)}.</Soft>
  }
  return (
    <>
      <Button
        variant={mailedCode ? 'default' : 'filled'}
        loading={mailCode.isPending}
        onClick={() => mailCode.mutate()}
        data-autofocus
      >
        {mailedCode ? 'Send me another code' : 'Send me a code'}
      </Button>
      <Fault>{errorMessage(mailCode.error)}</Fault>
    </>
  )
}

function UsePasskey({ onSignedIn }: WaysInProps) {
  const client = useTRPCClient()
  const signIn = useMutation({
    mutationFn: async () => {
      const answer = await askForPasskey(await client.signIn.passkeyOptions.mutate())
      await client.signIn.byPasskey.mutate(answer)
    },
    onSuccess: onSignedIn,
  })
  return (
    <>
      <Button loading={signIn.isPending} onClick={() => signIn.mutate()}>
        Use a passkey
      </Button>
      <Fault>{errorMessage(signIn.error)}</Fault>
    </>
  )
}

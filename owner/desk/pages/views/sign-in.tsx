import { Button, Code, Group, Stack } from '@mantine/core'
import { browserSupportsWebAuthn } from '@simplewebauthn/browser'
import type { ComponentProps } from 'react'
import { api, refresh } from '../api.ts'
import { timeOf } from '../format.ts'
import { Masthead, StateLine } from '../frame.tsx'
import { hrefOf } from '../location.ts'
import { Disclosure, Fault, View } from '../parts/parts.tsx'
import { CodeForm, signInByPasskey, useNow, useProof } from '../parts/proof.tsx'

/** The page before the desk: one owner, so there is no field for an address. */
export function SignIn() {
  const proof = useProof(refresh)
  const { mail, attempt, error } = proof
  const now = useNow()
  if (mail.data)
    return (
      <SignInPage
        tag={`${Math.max(0, Math.ceil((mail.data.endsAt - now) / 60_000))} min`}
        heading="Type the code."
        note={`If mail works, it is in the owner’s inbox by now. It works in this browser until ${timeOf(mail.data.endsAt)}.`}
      >
        <CodeForm proof={proof} />
      </SignInPage>
    )
  return (
    <SignInPage
      heading="Your desk."
      note="We send a code of eight digits to the owner by mail. It works in this browser only, for 10 minutes."
    >
      <Group>
        <Button variant="filled" loading={mail.isPending} onClick={() => mail.mutate()}>
          Send me a code
        </Button>
        {browserSupportsWebAuthn() && (
          <Button onClick={() => attempt.mutate(signInByPasskey)}>Use a passkey</Button>
        )}
      </Group>
      <Fault>{error}</Fault>
      <Disclosure words="No mail arrives?">
        <p>Run this where the server runs. It prints a link that opens the desk, for 5 minutes.</p>
        <Code>{document.body.dataset['ownerCommand']} desk-link</Code>
      </Disclosure>
    </SignInPage>
  )
}

/** Where a link of `owner desk-link` leads. Opening it spends nothing: scanners follow links, the button signs in. */
export function LinkPage() {
  const { attempt, error } = useProof(() => refresh().then(() => location.assign(hrefOf(''))))
  return (
    <SignInPage
      heading="Your desk."
      note="The link was made where the server runs. It signs in this browser, once."
    >
      <Button
        variant="filled"
        loading={attempt.isPending}
        onClick={() => attempt.mutate(() => api.signIn.byLink.mutate(location.hash.slice(1)))}
      >
        Sign in
      </Button>
      <Fault>{error}</Fault>
    </SignInPage>
  )
}

/** A view before the desk. */
function SignInPage({ tag = 'desk', children, ...view }: ComponentProps<typeof View> & { tag?: string }) {
  return (
    <>
      <Masthead />
      <main className="sheet">
        <StateLine tag={tag} />
        <View {...view} />
        <Stack maw={620} mt="xl">
          {children}
        </Stack>
      </main>
    </>
  )
}

import { Button, Code } from '@mantine/core'
import { browserSupportsWebAuthn } from '@simplewebauthn/browser'
import { useMutation } from '@tanstack/react-query'
import type { FormEvent, ReactNode } from 'react'
import { timeOf } from '../format.ts'
import { Masthead, StateLine } from '../frame.tsx'
import { go } from '../location.ts'
import { Disclosure, Fault, View } from '../parts/parts.tsx'
import { CodeField, type Proof, useNow, useProof } from '../parts/proof.tsx'

/** The page before the desk: one owner, so there is no field for an address. */
export function SignIn() {
  const proof = useProof()
  if (proof.mailed) return <TypeTheCode proof={proof} endsAt={proof.mailed.endsAt} />
  return (
    <SignInPage
      heading="Your desk."
      text="We send a code of eight digits to the owner by mail. It works in this browser only, for 10 minutes."
    >
      <div className="actions">
        <Button variant="filled" loading={proof.isMailing} onClick={proof.mail}>
          Send me a code
        </Button>
        {browserSupportsWebAuthn() && <Button onClick={() => void proof.byPasskey()}>Use a passkey</Button>}
      </div>
      <Fault>{proof.error}</Fault>
      <Disclosure words="No mail arrives?">
        <p>Run this where the server runs. It prints a link that opens the desk, for 5 minutes.</p>
        <Code>{document.body.dataset['ownerCommand']} desk-link</Code>
      </Disclosure>
    </SignInPage>
  )
}

function TypeTheCode({ proof, endsAt }: { proof: Proof; endsAt: number }) {
  const minutes = Math.max(0, Math.ceil((endsAt - useNow()) / 60_000))
  const { mutate, isPending } = useMutation({ mutationFn: proof.byCode })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    mutate()
  }
  return (
    <SignInPage
      tag={`${minutes} min`}
      heading="Type the code."
      text={`If mail works, it is in the owner’s inbox by now. It works in this browser until ${timeOf(endsAt)}.`}
    >
      <form className="stack" onSubmit={submit}>
        <CodeField proof={proof} onPasskey={proof.byPasskey} />
        <Button variant="filled" type="submit" loading={isPending}>
          Sign in
        </Button>
      </form>
    </SignInPage>
  )
}

/** Where a link of `owner desk-link` leads. Opening it spends nothing: scanners follow links, the button signs in. */
export function LinkPage() {
  const proof = useProof()
  const { mutate, isPending } = useMutation({
    mutationFn: () => proof.byLink(location.hash.slice(1)),
    onSuccess: (isIn) => isIn && go(''),
  })
  return (
    <SignInPage
      heading="Your desk."
      text="The link was made where the server runs. It signs in this browser, once."
    >
      <Button variant="filled" loading={isPending} onClick={() => mutate()}>
        Sign in
      </Button>
      <Fault>{proof.error}</Fault>
    </SignInPage>
  )
}

interface SignInPageProps {
  tag?: string
  heading: string
  text: string
  children: ReactNode
}

function SignInPage({ tag = 'desk', heading, text, children }: SignInPageProps) {
  return (
    <div className="sheet">
      <Masthead />
      <main>
        <StateLine tag={tag} />
        <View heading={heading} sentence={text} />
        <div className="stack fields">{children}</div>
      </main>
    </div>
  )
}

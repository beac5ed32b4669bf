import { Button, Stack } from '@mantine/core'
import type { ComponentProps } from 'react'
import { api, refresh } from '../api.ts'
import { timeOf } from '../format.ts'
import { Masthead, StateLine } from '../frame.tsx'
import { hrefOf } from '../location.ts'
import { Fault, View } from '../parts/parts.tsx'
import { useNow, useProof, WaysIn } from '../parts/proof.tsx'

/** The page before the desk: one owner, so there is no field for an address. */
export function SignIn() {
  const proof = useProof(refresh)
  const endsAt = proof.mail.data?.endsAt
  const minutesLeft = Math.max(0, Math.round(((endsAt ?? 0) - useNow()) / 60_000))
  return (
    <SignInPage
      tag={endsAt ? `${minutesLeft} min` : 'desk'}
      heading={endsAt ? 'Type the code.' : 'Your desk.'}
      note={
        endsAt
          ? `If mail works, it is in the owner’s inbox by now. It works in this browser until ${timeOf(endsAt)}.`
          : 'We send a code of eight digits to the owner by mail. It works in this browser only, for 10 minutes.'
      }
    >
      <WaysIn proof={proof} />
    </SignInPage>
  )
}

/**
 * Where a link of `owner desk-link` leads. Opening it spends nothing: scanners follow links, the
 * button signs in.
 */
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
function SignInPage({
  tag = 'desk',
  children,
  ...view
}: ComponentProps<typeof View> & { tag?: string }) {
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

import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { errorMessage } from '../api/errors.ts'
import { useTRPC } from '../api/trpc.ts'
import { formatTime } from '../format/format.ts'
import { hrefOf } from '../navigation/location.ts'
import { Fault } from '../parts/fault.tsx'
import { useProof } from './proof-context.tsx'
import { SignInPage } from './sign-in-page.tsx'
import { useNow } from './use-now.ts'
import { WaysIn } from './ways-in.tsx'

/** The page before the desk: one owner, so there is no field for an address. */
export function SignIn() {
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const codeGoesTo = useQuery(trpc.signIn.show.queryOptions()).data?.codeGoesTo
  const { mailedCode } = useProof()
  const now = useNow()
  const waysIn = <WaysIn onSignedIn={() => queryClient.resetQueries()} />
  if (codeGoesTo === 'no-owner') {
    return (
      <SignInPage
        tag="desk"
        heading="This site has no owner yet."
        note="The server printed a link when it started: the line “Desk” in its log. Open that link. Another start prints a new one."
      />
    )
  }
  if (!mailedCode) {
    return (
      <SignInPage
        tag="desk"
        heading="Your desk."
        note="We email the owner an eight-digit code. It works in this browser only, for 10 minutes."
      >
        {waysIn}
      </SignInPage>
    )
  }
  const minutesLeft = Math.max(0, Math.round((mailedCode.endsAt - now) / 60_000))
  return (
    <SignInPage
      tag={`${minutesLeft} min`}
      heading="Type the code."
      note={`If mail works, it is in the owner’s inbox by now. It works in this browser until ${formatTime(mailedCode.endsAt)}.`}
    >
      {waysIn}
    </SignInPage>
  )
}

/**
 * Where a link of `owner desk-link` leads. Opening it spends nothing: scanners follow links, the
 * button signs in.
 */
export function LinkPage() {
  const trpc = useTRPC()
  const byLink = useMutation(
    trpc.signIn.byLink.mutationOptions({ onSuccess: () => location.replace(hrefOf('')) }),
  )
  return (
    <SignInPage
      tag="desk"
      heading="Your desk."
      note="This link was made on your server. It signs this browser in, once."
    >
      <Button
        variant="filled"
        loading={byLink.isPending}
        onClick={() => byLink.mutate(location.hash.slice(1))}
      >
        Sign in
      </Button>
      <Fault>{errorMessage(byLink.error)}</Fault>
    </SignInPage>
  )
}

import { browserSupportsWebAuthn } from '@simplewebauthn/browser'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useTRPC, useTRPCClient } from '../api/trpc.ts'
import { ActionButton } from '../parts/actions/action-button.tsx'
import { useFollowUp } from '../parts/actions/follow-up.ts'
import { Section } from '../parts/outline/section.tsx'
import { makePasskey } from './passkey.ts'

export function MakePasskey() {
  const trpc = useTRPC()
  const client = useTRPCClient()
  const followUp = useFollowUp()
  const make = useMutation({
    ...followUp({ refresh: [trpc.you.show.queryFilter()], done: 'The passkey opens the desk.' }),
    mutationFn: async (_none: undefined) => {
      const passkey = await makePasskey(await client.you.passkeyOptions.mutate())
      await client.you.addPasskey.mutate(passkey)
    },
  })
  return (
    <ActionButton mutation={make} input={undefined}>
      Make a passkey
    </ActionButton>
  )
}

/** Offered while no code can be mailed: without a passkey a lost cookie then means a terminal. */
export function OfferPasskey() {
  const trpc = useTRPC()
  const codeGoesTo = useQuery(trpc.signIn.show.queryOptions()).data?.codeGoesTo
  const you = useQuery(trpc.you.show.queryOptions()).data
  const isUseful = codeGoesTo === 'nowhere' && you?.passkeys.length === 0
  if (!isUseful || you.passkeyObstacle !== null || !browserSupportsWebAuthn()) return null
  return (
    <Section
      heading="A second way in"
      note="Until your mail service works, only this browser opens the desk. With a passkey your finger, your face or the PIN of this device opens it too."
    >
      <MakePasskey />
    </Section>
  )
}

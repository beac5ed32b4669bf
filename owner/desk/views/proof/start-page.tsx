import { useMutation } from '@tanstack/react-query'
import { useTRPC } from '../api/trpc.ts'
import { hrefOf } from '../navigation/location.ts'
import { AddressForm } from './address-form.tsx'
import { SignInPage } from './sign-in-page.tsx'

/** The page of the first link, which the server prints as long as nobody has taken the desk. */
export function StartPage() {
  const trpc = useTRPC()
  const take = useMutation(
    trpc.signIn.byStartLink.mutationOptions({
      onSuccess: () => location.replace(hrefOf('ready')),
    }),
  )
  // Not sent, the link stays valid. Sent without encryption, anybody on the way could use it.
  if (!isSecureContext) {
    return (
      <SignInPage
        tag="desk"
        heading="This is your desk."
        note="The link works only over an encrypted connection. Open it with https:// instead of http://."
      />
    )
  }
  return (
    <SignInPage
      tag="desk"
      heading="This is your desk."
      note="Reports and alarms go to your address, and so do the codes that sign you in from now on. This link works once."
    >
      <AddressForm
        words="Continue"
        send={(email) => take.mutate({ secret: location.hash.slice(1), email })}
        isPending={take.isPending}
        error={take.error}
      />
    </SignInPage>
  )
}

import { Button, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { errorMessage, fieldError } from '../api/errors.ts'
import { useTRPC } from '../api/trpc.ts'
import { hrefOf } from '../navigation/location.ts'
import { Fault } from '../parts/fault.tsx'
import { SignInPage } from './sign-in-page.tsx'

/** The page of the first link, which the server prints as long as nobody has taken the desk. */
export function StartPage() {
  const trpc = useTRPC()
  const [email, setEmail] = useState('')
  const take = useMutation(
    trpc.signIn.byStartLink.mutationOptions({
      onSuccess: () => location.replace(hrefOf('ready')),
    }),
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    take.mutate({ secret: location.hash.slice(1), email })
  }
  const atField = fieldError(take.error, 'email')
  // Not sent, the link stays valid. Sent without encryption, anybody on the way could use it.
  if (!isSecureContext) {
    return (
      <SignInPage
        tag="desk"
        heading="This is your desk."
        note="The link works only over an encrypted connection. Open it by https:// instead of http://."
      />
    )
  }
  return (
    <SignInPage
      tag="desk"
      heading="This is your desk."
      note="Reports and alarms go to your address, and so do the codes that sign you in from now on. This link works once."
    >
      <Stack component="form" onSubmit={submit}>
        <TextInput
          type="email"
          name="email"
          label="Your email address"
          autoComplete="email"
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          error={atField}
          required
          withAsterisk={false}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the only field of the page
          autoFocus
        />
        <div>
          <Button variant="filled" type="submit" loading={take.isPending}>
            Continue
          </Button>
        </div>
        {atField === undefined && <Fault>{errorMessage(take.error)}</Fault>}
      </Stack>
    </SignInPage>
  )
}

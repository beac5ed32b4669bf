import { SimpleGrid } from '@mantine/core'
import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  startRegistration,
} from '@simplewebauthn/browser'
import { useQuery } from '@tanstack/react-query'
import { ActButton } from '../parts/acts.tsx'
import { type Answers, api, queries, trpc } from '../api.ts'
import { fullDayOf, momentOf } from '../format.ts'
import { pending, Section, View } from '../parts/parts.tsx'

export function You() {
  const you = useQuery(trpc.you.show.queryOptions())
  return (
    <View
      heading={you.data?.ownerEmail ?? pending}
      note="The desk opens for whoever reads this inbox: it is the setting OWNER_EMAIL."
      actions={
        <>
          <ActButton
            words="Sign out"
            variant="filled"
            act={() => api.you.signOut.mutate().then(leave)}
          />
          <ActButton
            words="Sign out everywhere"
            act={() => api.you.signOutEverywhere.mutate().then(leave)}
          />
        </>
      }
      query={you}
    >
      {you.data && (
        <SimpleGrid>
          <div>
            <Passkeys {...you.data} />
            <Section
              heading="Browsers signed in"
              rows={you.data.browsers.map((one) => ({
                words: one.isThis ? `${one.browser} (this browser)` : one.browser,
                note: `since ${fullDayOf(one.signed_in_at)}`,
                axis: momentOf(one.seen_at),
              }))}
            />
          </div>
          <Section
            heading="What was done here"
            rows={you.data.audit.map(({ at, action, about }) => ({
              words: `${action} ${about}`,
              axis: momentOf(at),
            }))}
          />
        </SimpleGrid>
      )}
    </View>
  )
}

function leave(): void {
  queries.clear()
  location.reload()
}

function Passkeys({ passkeys }: Answers['you']['show']) {
  return (
    <Section
      heading="Passkeys"
      note="With a passkey your finger, your face or the PIN of this device opens the desk. No mail needed."
      rows={passkeys.map(({ id, name, madeAt, usedAt }) => ({
        words: name,
        note: `made ${fullDayOf(madeAt)}${usedAt === null ? '' : `, last used ${fullDayOf(usedAt)}`}`,
        acts: (
          <ActButton
            key={id}
            words="Remove"
            aria-label={`Remove: ${name}`}
            heading={`Remove the passkey “${name}”?`}
            act={() => api.you.removePasskey.mutate(id)}
            ask="It no longer opens the desk. Your device may still offer it."
          />
        ),
      }))}
    >
      {browserSupportsWebAuthn() && (
        <ActButton
          words="Make a passkey"
          act={makePasskey}
          ask="A passkey stays on your device. The desk keeps only a key that can check it."
        />
      )}
    </Section>
  )
}

async function makePasskey(): Promise<void> {
  const options = await api.you.passkeyOptions.mutate()
  const optionsJSON = options as PublicKeyCredentialCreationOptionsJSON // the same library made them
  await api.you.addPasskey.mutate({ ...(await startRegistration({ optionsJSON })) })
}

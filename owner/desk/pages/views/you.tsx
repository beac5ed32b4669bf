import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  startRegistration,
} from '@simplewebauthn/browser'
import { useQuery } from '@tanstack/react-query'
import { ActButton, ActDialog } from '../parts/acts.tsx'
import { type Answers, api, queries, trpc } from '../api.ts'
import { fullDayOf, momentOf } from '../format.ts'
import { linkLook, pending, Section, View } from '../parts/parts.tsx'

/** The acts of the audit, in words. */
const acts: Record<string, string> = {
  'signed-in-by-code': 'Signed in by a code',
  'signed-in-by-link': 'Signed in by a link',
  'signed-in-by-passkey': 'Signed in by a passkey',
  'signed-out': 'Signed out',
  'signed-out-everywhere': 'Signed out everywhere',
  'passkey-added': 'Added a passkey',
  'passkey-removed': 'Removed a passkey',
  'person-mailed-again': 'Sent the mail again to person',
  'person-corrected': 'Corrected the address of person',
  'person-unsubscribed': 'Unsubscribed person',
  'person-erased': 'Erased person',
  'people-exported': 'Exported people',
  'people-imported': 'Imported people',
  'mail-retried': 'Tried again mail',
  'check-up-started': 'Ran the check-up',
  'announcement-tested': 'Sent a test of an announcement',
  'announcement-started': 'Started an announcement',
  'announcement-paused': 'Paused the announcement of',
  'announcement-resumed': 'Resumed the announcement of',
  'announcement-cancelled': 'Cancelled the announcement of',
}

export function You() {
  const you = useQuery(trpc.you.show.queryOptions())
  return (
    <View
      heading={you.data?.ownerEmail ?? pending}
      sentence="The desk opens for whoever reads this inbox: it is the setting OWNER_EMAIL."
      actions={
        <>
          <ActButton variant="filled" act={() => api.you.signOut.mutate().then(leave)}>
            Sign out
          </ActButton>
          <ActButton act={() => api.you.signOutEverywhere.mutate().then(leave)}>
            Sign out everywhere
          </ActButton>
        </>
      }
      query={you}
    >
      {you.data && (
        <div className="halves">
          <div>
            <Passkeys {...you.data} />
            <Section
              heading="Browsers signed in"
              rows={you.data.browsers.map(({ isThis, browser, signedInAt, seenAt }) => ({
                id: `${signedInAt} ${seenAt}`,
                words: isThis ? `${browser} (this browser)` : browser,
                note: `since ${fullDayOf(signedInAt)}`,
                axis: momentOf(seenAt),
              }))}
            />
          </div>
          <Section
            heading="What was done here"
            rows={you.data.acts.map(({ at, act, about }) => ({
              id: `${at} ${act} ${about}`,
              words: `${acts[act] ?? act} ${about}`,
              axis: momentOf(at),
            }))}
          />
        </div>
      )}
    </View>
  )
}

function leave(): void {
  queries.clear()
  location.reload()
}

function Passkeys({ passkeys, browsers }: Answers['you']['show']) {
  return (
    <Section
      heading="Passkeys"
      note="With a passkey your finger, your face or the PIN of this device opens the desk. No mail needed."
      rows={passkeys.map(({ id, name, madeAt, usedAt }) => ({
        id,
        words: name,
        note: `made ${fullDayOf(madeAt)}${usedAt === null ? '' : `, last used ${fullDayOf(usedAt)}`}`,
        acts: (
          <ActDialog
            button="Remove"
            look={{ ...linkLook, 'aria-label': `Remove: ${name}` }}
            heading={`Remove the passkey “${name}”?`}
            isProofNeeded
            act={() => api.you.removePasskey.mutate(id)}
          >
            <p>It no longer opens the desk. Your device may still offer it.</p>
          </ActDialog>
        ),
      }))}
    >
      {browserSupportsWebAuthn() && (
        <ActDialog
          button="Make a passkey"
          isProofNeeded
          act={() => makePasskey(browsers.find(({ isThis }) => isThis)?.browser ?? 'Passkey')}
        >
          <p>A passkey stays on your device. The desk keeps only a key that can check it.</p>
        </ActDialog>
      )}
    </Section>
  )
}

async function makePasskey(label: string): Promise<void> {
  const options = await api.you.passkeyOptions.mutate()
  const optionsJSON = options as PublicKeyCredentialCreationOptionsJSON // the same library made them
  const answer = await startRegistration({ optionsJSON })
  await api.you.addPasskey.mutate({ label, answer: { ...answer } })
}

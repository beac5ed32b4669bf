import { Button } from '@mantine/core'
import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  startRegistration,
} from '@simplewebauthn/browser'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ActButton, ActDialog } from '../acts.tsx'
import { type Answers, api, queries, trpc } from '../api.ts'
import { fullDayOf, momentOf } from '../format.ts'
import { pending, Section, View } from '../parts.tsx'

/** The acts of the audit, in words. */
const acts: Record<string, string> = {
  'signed-in-by-code': 'Signed in by a code',
  'signed-in-by-link': 'Signed in by a link',
  'signed-in-by-passkey': 'Signed in by a passkey',
  'signed-out': 'Signed out',
  'signed-out-everywhere': 'Signed out everywhere',
  'passkey-added': 'Added a passkey',
  'passkey-removed': 'Removed a passkey',
  'person-mailed-again': 'Sent the mail again, to person',
  'person-corrected': 'Corrected the address of person',
  'person-unsubscribed': 'Unsubscribed person',
  'person-put-back': 'Put back on the list: person',
  'person-erased': 'Erased person',
  'people-exported': 'Exported people',
  'people-imported': 'Imported people',
  'mail-retried': 'Tried again, mail',
  'check-up-started': 'Ran the check-up',
  'announcement-tested': 'Sent a test of an announcement',
  'announcement-started': 'Started the announcement of',
  'announcement-paused': 'Paused the announcement of',
  'announcement-resumed': 'Resumed the announcement of',
  'announcement-cancelled': 'Cancelled the announcement of',
}

export function You() {
  const you = useQuery(trpc.you.show.queryOptions())
  return (
    <View
      heading={you.data?.ownerEmail ?? pending}
      isAddress
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

type YouState = Answers['you']['show']

function Passkeys(you: YouState) {
  return (
    <Section
      heading="Passkeys"
      {...(you.passkeys.length === 0 && { note: 'You have no passkey yet.' })}
      rows={you.passkeys.map(({ id, name, madeAt, usedAt }) => ({
        id,
        words: name,
        note: `made ${fullDayOf(madeAt)}${usedAt === null ? '' : `, last used ${fullDayOf(usedAt)}`}`,
        acts: (
          <ActDialog
            button="Remove"
            buttonProps={{
              variant: 'transparent',
              className: 'link-button',
              'aria-label': `Remove: ${name}`,
            }}
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
        <p className="fields">
          <MakePasskey {...you} />
        </p>
      )}
    </Section>
  )
}

const offer = 'Next time your finger, your face or the PIN of this device can open the desk. No mail needed.'

/** Asks this device for a passkey, named after the browser. */
function MakePasskey({ browsers }: Pick<YouState, 'browsers'>) {
  const label = browsers.find(({ isThis }) => isThis)?.browser ?? 'Passkey'
  const make = async () => {
    const options = await api.you.passkeyOptions.mutate()
    const optionsJSON = options as PublicKeyCredentialCreationOptionsJSON // the same library made them
    const answer = await startRegistration({ optionsJSON })
    await api.you.addPasskey.mutate({ label, answer: { ...answer } })
  }
  return (
    <ActDialog button="Make a passkey" isProofNeeded act={make}>
      <p>{offer}</p>
      <p className="soft">A passkey stays on your device. The desk keeps only a key that can check it.</p>
    </ActDialog>
  )
}

const declined = 'desk-passkey-declined'

/** After signing in without one, until it is made or declined in this browser. */
export function PasskeyOffer() {
  const you = useQuery(trpc.you.show.queryOptions())
  const [isOver, setOver] = useState(() => localStorage.getItem(declined) !== null)
  if (isOver || you.data?.passkeys.length !== 0 || !browserSupportsWebAuthn()) return null
  const decline = () => {
    localStorage.setItem(declined, 'yes')
    setOver(true)
  }
  return (
    <div className="offer">
      <p>{offer}</p>
      <MakePasskey {...you.data} />
      <Button variant="transparent" className="link-button" onClick={decline}>
        Not now
      </Button>
    </div>
  )
}

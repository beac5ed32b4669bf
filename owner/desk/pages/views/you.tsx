import { useState } from 'react'
import { browserSupportsWebAuthn, startRegistration } from '@simplewebauthn/browser'
import { ActDialog } from '../act-dialog.tsx'
import type { Back } from '../../contract.ts'
import { call, queries, useDesk } from '../api.ts'
import { fullDayOf, momentOf } from '../format.ts'
import { Button, Section, View } from '../parts.tsx'

export function You() {
  const you = useDesk('GET you', {})
  const audit = useDesk('GET audit', {})
  const signOut = async (name: 'POST session/sign-out' | 'POST session/sign-out-everywhere') => {
    await call(name, {})
    queries.clear()
    location.reload()
  }
  return (
    <View
      heading={you.data?.ownerEmail ?? '–'}
      isAddress
      sentence="The desk belongs to whoever reads this inbox: OWNER_EMAIL."
      actions={
        <>
          <Button kind="main" onPress={() => signOut('POST session/sign-out')}>
            Sign out
          </Button>
          <Button onPress={() => signOut('POST session/sign-out-everywhere')}>Sign out everywhere</Button>
        </>
      }
      query={you}
    >
      <div className="halves">
        <div>
          <Passkeys passkeys={you.data?.passkeys ?? []} />
          <Section
            heading="Browsers signed in"
            rows={you.data?.browsers.map(({ isThis, browser, signedInAt, seenAt }) => ({
              id: `${signedInAt} ${seenAt}`,
              words: isThis ? `${browser} (this browser)` : browser,
              note: `since ${fullDayOf(signedInAt)}`,
              axis: momentOf(seenAt),
            }))}
          />
        </div>
        <Section
          heading="What was done here"
          rows={audit.data?.acts.slice(0, 20).map(({ at, act, about }) => ({
            id: `${at} ${act} ${about}`,
            words: act.replaceAll('-', ' '),
            note: about,
            axis: momentOf(at),
          }))}
        />
      </div>
    </View>
  )
}

function Passkeys({ passkeys }: Pick<Back<'GET you'>, 'passkeys'>) {
  const hasNone = passkeys.length === 0
  return (
    <Section
      heading="Passkeys"
      note={hasNone ? 'There is none yet.' : undefined}
      rows={
        hasNone
          ? undefined
          : passkeys.map(({ id, name, madeAt, usedAt }) => ({
              id,
              words: name,
              note: `made ${fullDayOf(madeAt)}${usedAt === null ? '' : `, last used ${fullDayOf(usedAt)}`}`,
              acts: (
                <ActDialog
                  button="Remove"
                  buttonProps={{ kind: 'link', label: `Remove: ${name}` }}
                  heading={`Remove the passkey “${name}”?`}
                  needsProof
                  act={() => call('POST passkeys/remove', { id })}
                >
                  <p>It no longer opens the desk. Your device may still offer it.</p>
                </ActDialog>
              ),
              axis: '',
            }))
      }
    >
      {browserSupportsWebAuthn() && (
        <p className="fields">
          <MakePasskey />
        </p>
      )}
    </Section>
  )
}

const offer = 'Next time your finger, your face or the PIN of this device can open the desk. No mail needed.'

/** Asks this device for a passkey, named after the browser. */
function MakePasskey() {
  const you = useDesk('GET you', {})
  const name = you.data?.browsers.find(({ isThis }) => isThis)?.browser ?? 'Passkeys'
  const make = async () => {
    const options = await call('POST passkeys/options', {})
    const optionsJSON = options as Parameters<typeof startRegistration>[0]['optionsJSON'] // the contract's
    await call('POST passkeys/add', { name, response: await startRegistration({ optionsJSON }) })
  }
  return (
    <ActDialog button="Make a passkey" keep="Not now" needsProof act={make}>
      <p>{offer}</p>
      <p className="soft">A passkey stays on your device. The desk keeps only a key that can check it.</p>
    </ActDialog>
  )
}

const declined = 'desk-passkey-declined'

/** After signing in without one, until it is made or declined in this browser. */
export function PasskeyOffer() {
  const you = useDesk('GET you', {})
  const [isOver, setOver] = useState(() => localStorage.getItem(declined) !== null)
  if (isOver || you.data?.passkeys.length !== 0 || !browserSupportsWebAuthn()) return null
  const decline = () => {
    localStorage.setItem(declined, 'yes')
    setOver(true)
  }
  return (
    <div className="offer">
      <p>{offer}</p>
      <MakePasskey />
      <Button kind="link" onPress={decline}>
        Not now
      </Button>
    </div>
  )
}

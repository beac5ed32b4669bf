import { useState } from 'react'
import { browserSupportsWebAuthn, startRegistration } from '@simplewebauthn/browser'
import { deskText } from '#content/desk.ts'
import { ActDialog } from '../act-dialog.tsx'
import { call, queries, useDesk } from '../api.ts'
import { fullDayOf, momentOf } from '../format.ts'
import { Button, LoadFault, Section, View } from '../parts.tsx'

const { you: words, signIn } = deskText

export function You() {
  const you = useDesk('GET you', {})
  const audit = useDesk('GET audit', {})
  const signOut = async (everywhere: boolean) => {
    await call(everywhere ? 'POST session/sign-out-everywhere' : 'POST session/sign-out', {})
    queries.clear()
    location.reload()
  }
  return (
    <View
      heading={you.data?.ownerEmail ?? '–'}
      isAddress
      sentence={words.text}
      actions={
        <>
          <Button kind="main" onPress={() => signOut(false)}>
            {words.signOut}
          </Button>
          <Button onPress={() => signOut(true)}>{words.signOutEverywhere}</Button>
        </>
      }
    >
      <LoadFault of={you} />
      <div className="halves halves-6-6">
        <div>
          <Passkeys passkeys={you.data?.passkeys ?? []} />
          <Section heading={words.browsers}>
            <ul className="rows">
              {you.data?.browsers.map(({ isThis, browser, signedInAt, seenAt }) => (
                <li className="row-line" key={`${signedInAt} ${seenAt}`}>
                  <span>
                    {browser} {isThis && `(${words.thisBrowser})`}
                    <span className="note">{words.since(fullDayOf(signedInAt))}</span>
                  </span>
                  <span className="on-axis">{momentOf(seenAt)}</span>
                </li>
              ))}
            </ul>
          </Section>
        </div>
        <Section heading={words.acts}>
          <ul className="rows">
            {audit.data?.acts.slice(0, 20).map(({ at, act, about }) => (
              <li className="row-line" key={`${at} ${act} ${about}`}>
                <span>
                  {act.replaceAll('-', ' ')} <span className="note">{about}</span>
                </span>
                <span className="on-axis">{momentOf(at)}</span>
              </li>
            ))}
          </ul>
        </Section>
      </div>
    </View>
  )
}

function Passkeys({
  passkeys,
}: {
  passkeys: { id: string; name: string; madeAt: number; usedAt: number | null }[]
}) {
  const [makes, setMakes] = useState(false)
  const [removed, setRemoved] = useState<{ id: string; name: string }>()
  return (
    <Section heading={words.passkeys}>
      {passkeys.length === 0 && <p className="soft part-note">{words.noPasskeys}</p>}
      <ul className="rows" hidden={passkeys.length === 0}>
        {passkeys.map(({ id, name, madeAt, usedAt }) => (
          <li className="row-line" key={id}>
            <span>
              {name}
              <span className="note">
                {words.made(fullDayOf(madeAt))}
                {usedAt !== null && `, ${words.used(fullDayOf(usedAt))}`}
              </span>
            </span>
            <Button kind="link" onPress={() => setRemoved({ id, name })} label={`${words.remove}: ${name}`}>
              {words.remove}
            </Button>
          </li>
        ))}
      </ul>
      {browserSupportsWebAuthn() && (
        <p className="fields">
          <Button onPress={() => setMakes(true)}>{words.make}</Button>
        </p>
      )}
      {makes && <MakePasskey onClose={() => setMakes(false)} />}
      {removed && (
        <ActDialog
          heading={words.removeHeading(removed.name)}
          label={words.remove}
          needsProof
          act={() => call('POST passkeys/remove', { id: removed.id })}
          onClose={() => setRemoved(undefined)}
        >
          <p>{words.removeText}</p>
        </ActDialog>
      )}
    </Section>
  )
}

/** Asks this device for a passkey, named after the browser. */
export function MakePasskey({ onClose }: { onClose: () => void }) {
  const you = useDesk('GET you', {})
  const name = you.data?.browsers.find(({ isThis }) => isThis)?.browser ?? words.passkeys
  const make = async () => {
    const options = await call('POST passkeys/options', {})
    const optionsJSON = options as Parameters<typeof startRegistration>[0]['optionsJSON'] // the contract's
    await call('POST passkeys/add', { name, response: await startRegistration({ optionsJSON }) })
  }
  return (
    <ActDialog
      heading={signIn.passkeyHeading}
      label={signIn.makePasskey}
      keep={signIn.notNow}
      needsProof
      act={make}
      onClose={onClose}
    >
      <p>{signIn.offer}</p>
      <p className="soft">{signIn.aboutPasskeys}</p>
    </ActDialog>
  )
}

const declined = 'desk-passkey-declined'

/** After signing in without one, until it is made or declined in this browser. */
export function PasskeyOffer() {
  const you = useDesk('GET you', {})
  const [isOver, setOver] = useState(() => localStorage.getItem(declined) !== null)
  const [makes, setMakes] = useState(false)
  if (isOver || you.data?.passkeys.length !== 0 || !browserSupportsWebAuthn()) return null
  const decline = () => {
    localStorage.setItem(declined, 'yes')
    setOver(true)
  }
  return (
    <div className="offer">
      <p>{signIn.offer}</p>
      <Button onPress={() => setMakes(true)}>{signIn.makePasskey}</Button>
      <Button kind="link" onPress={decline}>
        {signIn.notNow}
      </Button>
      {makes && <MakePasskey onClose={() => setMakes(false)} />}
    </div>
  )
}

import { type FormEvent, type ReactNode, useState } from 'react'
import { browserSupportsWebAuthn } from '@simplewebauthn/browser'
import { useLocation, useNavigate } from 'react-router'
import { deskText } from '#content/desk.ts'
import {
  CodeField,
  Fault,
  noteSession,
  OtherDoors,
  provePasskey,
  useMailedCode,
  useOffer,
} from '../act-dialog.tsx'
import { call } from '../api.ts'
import { timeOf } from '../format.ts'
import { Masthead } from '../frame.tsx'
import { Button, Disclosure, useNow, View } from '../parts.tsx'

const { signIn: words } = deskText

/** The page before the desk: one owner, so there is no field for an address. */
export function SignIn() {
  const [isAsked, setAsked] = useState(false)
  const mailed = useMailedCode(isAsked)
  const [fault, setFault] = useState('')
  const byPasskey = async () => {
    if (await provePasskey()) return
    setFault(words.passkeyFailed)
    mailed.setFault(words.passkeyFailed)
  }
  return isAsked && mailed.asked ? (
    <TypeTheCode mailed={mailed} onPasskey={byPasskey} />
  ) : (
    <Doors
      fault={fault || mailed.fault}
      isBusy={isAsked && !mailed.fault}
      onMail={() => (isAsked ? mailed.mail() : setAsked(true))}
      onPasskey={byPasskey}
    />
  )
}

interface DoorsProps {
  fault: string
  isBusy: boolean
  onMail: () => unknown
  onPasskey: () => unknown
}

function Doors({ fault, isBusy, onMail, onPasskey }: DoorsProps) {
  const offer = useOffer()
  const isStuck = offer?.isMailStuck ?? false
  const byPasskey = offer?.hasPasskeys && browserSupportsWebAuthn() && (
    <Button kind={isStuck ? 'main' : 'plain'} onPress={onPasskey}>
      {words.passkey}
    </Button>
  )
  const link = (
    <>
      <p>{words.runThis}</p>
      <code>{words.command}</code>
    </>
  )
  return (
    <SignInPage tag={deskText.name} heading={words.heading} text={isStuck ? words.stuck : words.text}>
      {isStuck && <div className="broken-mail">{link}</div>}
      <div className="actions">
        {isStuck && byPasskey}
        <Button kind={isStuck ? 'plain' : 'main'} busy={isBusy} onPress={onMail}>
          {words.mailCode}
        </Button>
        {!isStuck && byPasskey}
      </div>
      <Fault>{fault}</Fault>
      {!isStuck && (
        <div className="broken-mail">
          <Disclosure words={words.isMailBroken}>{link}</Disclosure>
        </div>
      )}
    </SignInPage>
  )
}

function TypeTheCode({
  mailed,
  onPasskey,
}: {
  mailed: ReturnType<typeof useMailedCode>
  onPasskey: () => unknown
}) {
  const endsAt = mailed.asked?.endsAt ?? 0
  const minutes = Math.max(0, Math.ceil((endsAt - useNow()) / 60_000))
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    await mailed.prove()
    setBusy(false)
  }
  const text = words.codeText(timeOf(endsAt))
  return (
    <SignInPage tag={words.minutes(minutes)} heading={words.codeHeading} text={text}>
      <form className="code-form" onSubmit={(event) => void submit(event)}>
        <CodeField mailed={mailed}>
          <button className="button" type="submit" disabled={isBusy}>
            {words.signIn}
          </button>
        </CodeField>
      </form>
      <OtherDoors mailed={mailed} onPasskey={onPasskey} />
    </SignInPage>
  )
}

/** Where a link of `owner desk-link` leads. Opening it spends nothing: scanners follow links, the button signs in. */
export function LinkPage() {
  const { hash } = useLocation()
  const navigate = useNavigate()
  const [fault, setFault] = useState('')
  const signIn = async () => {
    try {
      noteSession(await call('POST sign-in/link', { token: hash.slice(1) }))
      await navigate('/', { replace: true })
    } catch {
      setFault(words.linkUsed)
    }
  }
  return (
    <SignInPage tag={deskText.name} heading={words.linkHeading} text={words.linkText}>
      <div className="actions">
        <Button kind="main" onPress={signIn}>
          {words.signIn}
        </Button>
      </div>
      <Fault>{fault}</Fault>
    </SignInPage>
  )
}

interface SignInPageProps {
  tag: string
  heading: string
  text: string
  children: ReactNode
}

export function SignInPage({ tag, heading, text, children }: SignInPageProps) {
  return (
    <div className="sheet desk sign-in">
      <Masthead />
      <div className="price-line">
        <span className="dashes" />
        <span className="tag" aria-hidden="true">
          {tag}
        </span>
      </div>
      <main>
        <View heading={heading} sentence={text} />
        <div className="doors">{children}</div>
      </main>
    </div>
  )
}

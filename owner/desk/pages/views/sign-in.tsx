import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { browserSupportsWebAuthn } from '@simplewebauthn/browser'
import { useLocation, useNavigate } from 'react-router'
import { CodeField, ErrorLine, OtherDoors, type Proof, useNow, useOffer, useProof } from '../act-dialog.tsx'
import { timeOf } from '../format.ts'
import { Masthead } from '../frame.tsx'
import { Button, Disclosure, View } from '../parts.tsx'

const intro = 'We mail a code of eight digits to the owner. It works in this browser only, for 10 minutes.'
const stuck =
  'Mail is stuck, so a code may not arrive. A passkey or a link from the server opens the desk all the same.'

/** The page before the desk: one owner, so there is no field for an address. */
export function SignIn() {
  const [isAsked, setAsked] = useState(false)
  const proof = useProof(isAsked)
  if (proof.mailed) return <TypeTheCode proof={proof} endsAt={proof.mailed.endsAt} />
  return (
    <Doors
      proof={proof}
      isBusy={isAsked && !proof.error}
      onMail={() => (isAsked ? proof.mail() : setAsked(true))}
    />
  )
}

interface DoorsProps {
  proof: Proof
  isBusy: boolean
  onMail: () => unknown
}

function Doors({ proof, isBusy, onMail }: DoorsProps) {
  const offer = useOffer()
  const isStuck = offer?.isMailStuck ?? false
  const doors = [
    <Button key="mail" kind={isStuck ? 'plain' : 'main'} isBusy={isBusy} onPress={onMail}>
      Send me a code
    </Button>,
    offer?.hasPasskeys && browserSupportsWebAuthn() && (
      <Button key="passkey" kind={isStuck ? 'main' : 'plain'} onPress={proof.byPasskey}>
        Use a passkey
      </Button>
    ),
  ]
  const link = (
    <>
      <p>Run this where the server runs. It prints a link that works for 5 minutes.</p>
      <code>{document.body.dataset['ownerCommand']} desk-link</code>
    </>
  )
  return (
    <SignInPage tag="desk" heading="Your desk." text={isStuck ? stuck : intro}>
      {isStuck && <div className="broken-mail">{link}</div>}
      <div className="actions">{isStuck ? doors.toReversed() : doors}</div>
      <ErrorLine>{proof.error}</ErrorLine>
      {!isStuck && (
        <div className="broken-mail">
          <Disclosure words="Is mail what is broken?">{link}</Disclosure>
        </div>
      )}
    </SignInPage>
  )
}

function TypeTheCode({ proof, endsAt }: { proof: Proof; endsAt: number }) {
  const minutes = Math.max(0, Math.ceil((endsAt - useNow()) / 60_000))
  const { mutate, isPending } = useMutation({ mutationFn: proof.byCode })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    mutate()
  }
  return (
    <SignInPage
      tag={`${minutes} min`}
      heading="Type the code."
      text={`If mail works, it is in the owner’s inbox by now. It works in this browser until ${timeOf(endsAt)}.`}
    >
      <form className="code-form" onSubmit={submit}>
        <CodeField proof={proof}>
          <Button kind="main" type="submit" isBusy={isPending}>
            Sign in
          </Button>
        </CodeField>
      </form>
      <OtherDoors proof={proof} onPasskey={proof.byPasskey} />
    </SignInPage>
  )
}

/** Where a link of `owner desk-link` leads. Opening it spends nothing: scanners follow links, the button signs in. */
export function LinkPage() {
  const { hash } = useLocation()
  const navigate = useNavigate()
  const proof = useProof(false)
  const signIn = async () => {
    if (await proof.byLink(hash.slice(1))) await navigate('/', { replace: true })
  }
  return (
    <SignInPage
      tag="desk"
      heading="Your desk."
      text="The link was made where the server runs. It signs in this browser, once."
    >
      <div className="actions">
        <Button kind="main" onPress={signIn}>
          Sign in
        </Button>
      </div>
      <ErrorLine>{proof.error}</ErrorLine>
    </SignInPage>
  )
}

interface SignInPageProps {
  tag: string
  heading: string
  text: string
  children: ReactNode
}

function SignInPage({ tag, heading, text, children }: SignInPageProps) {
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

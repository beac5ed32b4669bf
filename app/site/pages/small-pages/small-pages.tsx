import { SmallPage, type SmallPageWords } from '../frame/small-page.tsx'
import { formWords } from '../sign-up/form-words.ts'
import { SignUpForm } from '../sign-up/sign-up-form.tsx'
import type { ReactNode } from 'react'
import { signUpPath } from '#contract/sign-up.ts'
import { fill } from '#site/text/fill.ts'
import { Filled } from '#site/text/filled.tsx'
import { placeholder } from '#site/text/placeholders.ts'
import { useContent } from '#site/text/use-content.ts'
import { Address } from '../ui/address.tsx'
import { SubmitButton, TextLink } from '../ui/button.tsx'
import { EndButton } from '../ui/end-button.tsx'
import { HalfSquare, TickedSquare } from '../ui/glyphs.tsx'

// The pages that say one thing.

/** Says what was done, and leads home. */
export function DonePage({ children, ...words }: SmallPageWords) {
  const { homeLink } = useContent().notFound
  return (
    <SmallPage {...words}>
      {children}
      <p>
        <a className="button" href="/">
          {homeLink}
        </a>
      </p>
    </SmallPage>
  )
}

/**
 * Answers a form posted without JavaScript, in the words of the toast.
 */
export function AnswerPage({ heading, text, note, isSettled }: AnswerPageProps) {
  return (
    <DonePage heading={heading} text={text}>
      <div className="note result-note">
        {isSettled ? <TickedSquare /> : <HalfSquare />}
        <p>
          <Filled text={note} address={<Address>{placeholder('address')}</Address>} />
        </p>
      </div>
    </DonePage>
  )
}

interface AnswerPageProps extends SmallPageWords {
  note: string
  /** Nothing is under way any more. */
  isSettled: boolean
}

interface ButtonPageProps extends SmallPageWords {
  button: string
  action: string
  /** The button ends something. */
  ends?: boolean
  link?: { words: string; href: string }
  /** Hidden fields. */
  fields?: ReactNode
}

/**
 * Its one button posts to `action`: opening the link of a mail changes nothing. `link`: for those
 * who do not press it.
 */
export function ButtonPage(props: ButtonPageProps) {
  const { button, action, ends = false, link, fields, ...words } = props
  return (
    <SmallPage {...words} narrow>
      <form method="post" action={action}>
        {fields}
        {ends ? <EndButton>{button}</EndButton> : <SubmitButton>{button}</SubmitButton>}
      </form>
      {link && (
        <p>
          <TextLink {...link} />
        </p>
      )}
    </SmallPage>
  )
}

/** After leaving: the way home, and one step back. */
export function UnsubscribedPage() {
  const { button, heading, text } = useContent().resultPages.unsubscribed
  const address = <Address>{placeholder('address')}</Address>
  return (
    <DonePage heading={heading} text={<Filled text={text} address={address} />} narrow>
      <form method="post" action={`/kit/${placeholder('token')}/return#address`}>
        <button className="text-button" type="submit">
          {button}
        </button>
      </form>
    </DonePage>
  )
}

/** Answers a form of a page at another name of the site. */
export function ElsewherePage() {
  const url = placeholder('publicUrl') + placeholder('path')
  return (
    <SmallPage {...useContent().resultPages.elsewhere}>
      <p>
        <a className="text-link address" href={url} translate="no">
          {url}
        </a>
      </p>
    </SmallPage>
  )
}

/** Answers a plain form with a likely slip in its address: one button for each address. */
export function SlipPage() {
  const { resultPages, signUp } = useContent()
  const { question, use, keep } = signUp.slip
  const meant = placeholder('meant')
  const typed = placeholder('address')
  return (
    <SmallPage
      heading={<Filled text={question} meant={<Address>{meant}</Address>} />}
      text={resultPages.slip.text}
    >
      <ConfirmedForm address={meant} suggestion="accepted">
        <SubmitButton>{use}</SubmitButton>
      </ConfirmedForm>
      <ConfirmedForm address={typed}>
        <button className="text-button" type="submit">
          <Filled text={keep} typed={<Address>{typed}</Address>} />
        </button>
      </ConfirmedForm>
    </SmallPage>
  )
}

function ConfirmedForm(props: { address: string; suggestion?: string; children: ReactNode }) {
  const { address, suggestion, children } = props
  return (
    <form method="post" action={signUpPath}>
      <input type="hidden" name="email" value={address} />
      <input type="hidden" name="confirmed" value="yes" />
      {suggestion && <input type="hidden" name="suggestion" value={suggestion} />}
      <input type="hidden" name="form" value={placeholder('form')} />
      <input type="hidden" name="campaign" value={placeholder('campaign')} />
      {children}
    </form>
  )
}

/**
 * Answers a plain form with an invalid address: the form again, filled in, with the message under
 * the field.
 */
export function InvalidAddressPage() {
  const { formName, ...words } = useContent().resultPages.invalid
  return (
    <SmallPage {...words}>
      <RetryForm name={formName} invalid />
    </SmallPage>
  )
}

/** A fault of ours, in the words of the error toast. */
export function ErrorPage({ children }: { children?: ReactNode }) {
  const { notFound, signUp } = useContent()
  const { refused, contactSupport } = signUp.toasts
  const link = <a href={`mailto:${placeholder('supportEmail')}`}>{contactSupport}</a>
  const text = <Filled text={refused.description} contactSupport={link} />
  return (
    <SmallPage heading={refused.title} text={text}>
      {children}
      <TextLink words={notFound.homeLink} href="/" />
    </SmallPage>
  )
}

/**
 * Answers a plain form that failed: with the form again, filled in. `isWait`: the server takes no
 * sign-up for a while, and says for how long.
 */
export function SignUpErrorPage({ isWait = false }: { isWait?: boolean }) {
  const { resultPages, signUp } = useContent()
  return (
    <ErrorPage>
      {isWait && <p className="wait">{fill(signUp.wait, { time: placeholder('time') })}</p>}
      <RetryForm name={resultPages.error.formName} invalid={false} />
    </ErrorPage>
  )
}

function RetryForm({ name, invalid }: { name: string; invalid: boolean }) {
  const content = useContent()
  const posted = {
    address: placeholder('address'),
    campaign: placeholder('campaign'),
    invalid,
  }
  return (
    <SignUpForm
      id="again"
      form={placeholder('form')}
      name={name}
      button={content.landingPage.hero.button}
      words={formWords(content)}
      posted={posted}
    />
  )
}

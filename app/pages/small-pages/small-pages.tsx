import { hero } from '#content/pages/landing-page.ts'
import { homeLink } from '#content/pages/not-found.ts'
import { resultPages } from '#content/pages/result-pages.ts'
import { signUpText } from '#content/pages/sign-up.ts'
import { SmallPage, type SmallPageWords } from '../frame/frame.tsx'
import { SignUpForm } from '../sign-up/sign-up-form.tsx'
import { SubmitButton, TextLink } from '../ui/button.tsx'
import { HalfSquare } from '../ui/glyphs.tsx'
import { Linked } from '../ui/toaster.tsx'

// The pages that say one thing.

type Words = SmallPageWords & { link?: { words: string; href: string } }

/** Says what was done, and leads home. */
export function DonePage({ link, children, ...words }: Words) {
  return (
    <SmallPage {...words}>
      {children}
      {link && <TextLink {...link} />}
      <p>
        <a className="button" href="/">
          {homeLink}
        </a>
      </p>
    </SmallPage>
  )
}

/**
 * Answers a form posted without JavaScript, in the words of the toast. The address stands between
 * the two halves of the note.
 */
export function AnswerPage({ tag, heading, text, note: [before, after] }: AnswerWords) {
  return (
    <DonePage tag={tag} heading={heading} text={text}>
      <div className="note result-note">
        <HalfSquare />
        <p>
          {before}
          <span className="address">{'{{address}}'}</span>
          {after}
        </p>
      </div>
      {'{{receiptLink}}'}
    </DonePage>
  )
}

type AnswerWords = Words & { note: readonly [string, string] }

/**
 * Its one button posts to `action`: opening the link of a mail changes nothing. `link`: for those
 * who do not press it.
 */
export function ButtonPage(props: Words & { button: string; action: string }) {
  const { button, action, link, ...words } = props
  return (
    <SmallPage {...words} narrow>
      <form method="post" action={action}>
        <SubmitButton>{button}</SubmitButton>
      </form>
      {link && <TextLink {...link} />}
    </SmallPage>
  )
}

/**
 * Answers a plain form with an invalid address: the form again, filled in, with the message under
 * the field.
 */
export function InvalidAddressPage() {
  const { formName, ...words } = resultPages.invalid
  return (
    <SmallPage {...words}>
      <RetryForm name={formName} invalid />
    </SmallPage>
  )
}

/**
 * Answers a plain form that failed: the words of the error toast, and the form again, filled in.
 */
export function ErrorPage() {
  const { tag, formName } = resultPages.error
  const { refused, supportLink } = signUpText.toasts
  const link = { words: supportLink, href: 'mailto:{{supportEmail}}' }
  return (
    <SmallPage tag={tag} heading={refused.title} text={<Linked {...refused} link={link} />}>
      <RetryForm name={formName} invalid={false} />
      <TextLink words={homeLink} href="/" />
    </SmallPage>
  )
}

function RetryForm({ name, invalid }: { name: string; invalid: boolean }) {
  const posted = { address: '{{address}}', campaign: '{{campaign}}', invalid }
  return <SignUpForm id="again" form="{{form}}" name={name} button={hero.button} posted={posted} />
}

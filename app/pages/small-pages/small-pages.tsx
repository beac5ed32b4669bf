import { SmallPage, type SmallPageWords } from '../frame/frame.tsx'
import { formWords } from '../sign-up/form-words.ts'
import { SignUpForm } from '../sign-up/sign-up-form.tsx'
import { Filled } from '#text/filled.tsx'
import { placeholder } from '#text/placeholders.ts'
import { useContent } from '#text/use-content.ts'
import { SubmitButton, TextLink } from '../ui/button.tsx'
import { HalfSquare } from '../ui/glyphs.tsx'

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
export function AnswerPage({ tag, heading, text, note }: AnswerWords) {
  return (
    <DonePage tag={tag} heading={heading} text={text}>
      <div className="note result-note">
        <HalfSquare />
        <p>
          <Filled text={note} address={<span className="address">{placeholder('address')}</span>} />
        </p>
      </div>
    </DonePage>
  )
}

type AnswerWords = SmallPageWords & { note: string }

interface ButtonPageProps extends SmallPageWords {
  button: string
  action: string
  link?: { words: string; href: string }
}

/**
 * Its one button posts to `action`: opening the link of a mail changes nothing. `link`: for those
 * who do not press it.
 */
export function ButtonPage(props: ButtonPageProps) {
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
  const { formName, ...words } = useContent().resultPages.invalid
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
  const { notFound, resultPages, signUp } = useContent()
  const { tag, formName } = resultPages.error
  const { refused, contactSupport } = signUp.toasts
  const link = <a href={`mailto:${placeholder('supportEmail')}`}>{contactSupport}</a>
  const text = <Filled text={refused.description} contactSupport={link} />
  return (
    <SmallPage tag={tag} heading={refused.title} text={text}>
      <RetryForm name={formName} invalid={false} />
      <TextLink words={notFound.homeLink} href="/" />
    </SmallPage>
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

import { hero } from '#content/pages/landing-page.ts'
import { homeLink } from '#content/pages/not-found.ts'
import { retryPages } from '#content/pages/result-pages.ts'
import { signUpText } from '#content/pages/sign-up.ts'
import type { PageProps, PageValues } from '../page-values.ts'
import { SmallPage } from '../frame/frame.tsx'
import { SignUpForm } from '../sign-up/sign-up-form.tsx'
import { TextLink } from '../ui/button.tsx'
import { Linked } from '../ui/toaster.tsx'

/** Answers a plain form with an invalid address: the form again, filled in, with the message under the field. */
export function InvalidAddressPage({ values }: PageProps) {
  const { tag, heading, text, formName } = retryPages.invalid
  return (
    <div className="sheet">
      <SmallPage tag={tag} heading={heading} text={text}>
        <RetryForm name={formName} values={values} startsInvalid />
      </SmallPage>
    </div>
  )
}

/** Answers a plain form that failed: the words of the error toast, and the form again, filled in. */
export function ErrorPage({ values }: PageProps) {
  const { tag, formName } = retryPages.error
  const { refused, supportLink } = signUpText.toasts
  const link = { words: supportLink, href: `mailto:${values.supportEmail}` }
  return (
    <div className="sheet">
      <SmallPage tag={tag} heading={refused.title} text={<Linked {...refused} link={link} />}>
        <RetryForm name={formName} values={values} />
        <TextLink words={homeLink} href="/" />
      </SmallPage>
    </div>
  )
}

function RetryForm(props: { name: string; values: PageValues; startsInvalid?: boolean }) {
  return <SignUpForm {...props} id="again" form={props.values.form} button={hero.button} />
}

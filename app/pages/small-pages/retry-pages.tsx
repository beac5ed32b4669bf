import { hero } from '#content/landing-page.ts'
import { notFoundPage } from '#content/not-found.ts'
import { resultPages } from '#content/result-pages.ts'
import { signUpText } from '#content/sign-up.ts'
import type { PageProps } from '../app.tsx'
import { SmallPage } from '../frame/frame.tsx'
import type { PageValues } from '../page-values.ts'
import { SignUpForm } from '../sign-up/sign-up-form.tsx'

/** The answer to a plain form with an invalid address: the form again, filled in, with the message under the field. */
export function InvalidAddressPage({ values }: PageProps) {
  const { tag, heading, text, formName } = resultPages.invalid
  return (
    <div className="sheet">
      <SmallPage tag={tag}>
        <h1>{heading}</h1>
        <p className="soft">{text}</p>
        <RetryForm name={formName} values={values} startsInvalid />
      </SmallPage>
    </div>
  )
}

/** The answer to a plain form that failed: the words of the error toast, and the form again, filled in. */
export function ErrorPage({ values }: PageProps) {
  const { tag, formName } = resultPages.error
  const { supportLink, refused } = signUpText.toasts
  const [before, after] = refused.description.split(supportLink)
  return (
    <div className="sheet">
      <SmallPage tag={tag}>
        <h1>{refused.title}</h1>
        <p className="soft">
          {before}
          <a href={`mailto:${values.supportEmail}`}>{supportLink}</a>
          {after}
        </p>
        <RetryForm name={formName} values={values} />
        <a className="text-link" href="/">
          {notFoundPage.home}
        </a>
      </SmallPage>
    </div>
  )
}

interface RetryFormProps {
  name: string
  values: PageValues
  startsInvalid?: boolean
}

function RetryForm({ values, ...props }: RetryFormProps) {
  return (
    <SignUpForm
      {...props}
      id="again"
      form={values.form}
      button={hero.button}
      startValue={values.address}
      values={values}
    />
  )
}

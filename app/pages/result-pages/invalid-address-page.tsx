import { hero } from '#content/landing-page.ts'
import { resultPages } from '#content/result-pages.ts'
import { SmallPage } from '../frame/small-page.tsx'
import type { PageValues } from '../page-values.ts'
import { SignUpForm } from '../sign-up/sign-up-form.tsx'

/** The form again, filled in, with the message under the field. */
export function InvalidAddressPage({ values }: { values: PageValues }) {
  const { tag, heading, text, formName } = resultPages.invalid
  return (
    <div className="sheet">
      <SmallPage tag={tag}>
        <h1>{heading}</h1>
        <p className="soft">{text}</p>
        <SignUpForm
          id="again"
          form={values.form}
          name={formName}
          button={hero.button}
          invalidValue={values.address}
          values={values}
        />
      </SmallPage>
    </div>
  )
}

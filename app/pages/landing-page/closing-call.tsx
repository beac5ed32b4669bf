import { closingCall } from '#content/pages/landing-page.ts'
import { PriceLine } from '../frame/frame.tsx'
import type { PageValues } from '../page-values.ts'
import { SignUpForm } from '../sign-up/sign-up-form.tsx'

export function ClosingCall({ values }: { values: PageValues }) {
  const { heading, formName, button, promise } = closingCall
  return (
    <section className="closing later" aria-labelledby="closing-call" suppressHydrationWarning>
      <PriceLine tag="0.00" />
      <h2 id="closing-call">
        <span className="line">{heading[0]}</span> {heading[1]}
      </h2>
      <div className="closing-form">
        <SignUpForm
          id="sign-up-below"
          form="closing"
          name={formName}
          button={button}
          compact
          values={values}
        />
        <p className="promise">{promise}</p>
      </div>
    </section>
  )
}

import type { ReactNode } from 'react'
import { useContent } from '#site/text/use-content.ts'
import { Copyright, Masthead, PriceLine } from '../frame/frame.tsx'
import { formWords } from '../sign-up/form-words.ts'
import { SignUpForm } from '../sign-up/sign-up-form.tsx'
import './landing-page.css' // first: the sections below refine it
import { Hero } from './hero.tsx'
import { WhatsIncluded } from './whats-included/whats-included.tsx'
import { HowItWorks } from './how-it-works.tsx'
import { CreatorNote } from './creator-note.tsx'
import './closing-call.css'

/** `script`: the text of the script that is given away. */
export function LandingPage({ script }: { script: string }) {
  const content = useContent()
  const { hero, closingCall } = content.landingPage
  const words = formWords(content)
  return (
    <div className="sheet axis">
      <a className="skip" href="#sign-up-email">
        {content.landingPage.skipLink}
      </a>
      <Masthead withTagline />
      <main>
        <Hero
          form={
            <SignUpForm
              id="sign-up"
              form="hero"
              name={hero.formName}
              button={hero.button}
              words={words}
            />
          }
        />
        <section className="whats-included section later" aria-labelledby="whats-included">
          <WhatsIncluded script={script} />
        </section>
        <section className="how-it-works section later" aria-labelledby="how-it-works">
          <HowItWorks />
        </section>
        <section className="creator-note section later" aria-labelledby="creator-note">
          <CreatorNote />
        </section>
        <ClosingCall
          form={
            <SignUpForm
              id="sign-up-below"
              form="closing"
              name={closingCall.formName}
              button={closingCall.button}
              compact
              words={words}
            />
          }
        />
      </main>
      <footer className="footer columns">
        <Copyright />
        <div className="disclaimer">
          <p>{content.landingPage.footer.risk}</p>
          <p>{content.landingPage.footer.trademarks}</p>
        </div>
      </footer>
    </div>
  )
}

function ClosingCall({ form }: { form: ReactNode }) {
  const { heading, promise } = useContent().landingPage.closingCall
  return (
    <section className="closing axis columns later" aria-labelledby="closing-call">
      <PriceLine tag="0.00" />
      <h2 id="closing-call">
        <span className="line">{heading[0]}</span> {heading[1]}
      </h2>
      <div className="closing-form">
        {form}
        <p className="promise">{promise}</p>
      </div>
    </section>
  )
}

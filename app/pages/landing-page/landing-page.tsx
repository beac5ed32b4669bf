import { closingCall, footer, skipLink } from '#content/pages/landing-page.ts'
import { signUpText } from '#content/pages/sign-up.ts'
import { Copyright, Masthead, PriceLine } from '../frame/frame.tsx'
import { SignUpForm } from '../sign-up/sign-up-form.tsx'
import { StaticPart, type StaticParts } from '../static-part.tsx'
import { Toaster } from '../ui/toaster.tsx'
import { useTooltips } from '../ui/tooltip.tsx'
import { Hero } from './hero.tsx'

const staticSections = ['whats-included', 'how-it-works', 'creator-note'] as const
export type StaticSection = (typeof staticSections)[number]

/**
 * The build and the browser render the same markup. The parts with a form or a tooltip are React in
 * the browser too; the others stay as the build rendered them.
 */
export function App({ parts }: { parts: StaticParts }) {
  useTooltips()
  return (
    <Toaster words={signUpText.toasts}>
      <div className="sheet axis">
        <a className="skip" href="#sign-up-email">
          {skipLink}
        </a>
        <Masthead withTagline />
        <main>
          <Hero parts={parts} />
          {staticSections.map((name) => (
            <StaticPart
              key={name}
              as="section"
              className={`${name} section later`}
              labelledBy={name}
              name={name}
              parts={parts}
            />
          ))}
          <ClosingCall />
        </main>
        <StaticPart as="footer" className="footer columns" name="footer" parts={parts} />
      </div>
    </Toaster>
  )
}

function ClosingCall() {
  const { heading, formName, button, promise } = closingCall
  return (
    <section
      className="closing axis columns later"
      aria-labelledby="closing-call"
      suppressHydrationWarning
    >
      <PriceLine tag="0.00" />
      <h2 id="closing-call">
        <span className="line">{heading[0]}</span> {heading[1]}
      </h2>
      <div className="closing-form">
        <SignUpForm id="sign-up-below" form="closing" name={formName} button={button} compact />
        <p className="promise">{promise}</p>
      </div>
    </section>
  )
}

/** A static part of the page. */
export function Footer() {
  return (
    <>
      <Copyright />
      <div className="disclaimer">
        <p>{footer.risk}</p>
        <p>{footer.trademarks}</p>
      </div>
    </>
  )
}

import { footer, skipLink } from '#content/pages/landing-page.ts'
import type { PageProps } from '../page-values.ts'
import { Copyright, Masthead } from '../frame/frame.tsx'
import { StaticPart } from '../static-part.tsx'
import { ClosingCall } from './closing-call.tsx'
import { Hero } from './hero.tsx'

const stillSections = ['whats-included', 'how-it-works', 'creator-note']

/** The parts with a form or a tooltip are React in the browser too; the others stay as the build rendered them. */
export function LandingPage({ values, parts }: PageProps) {
  return (
    <div className="sheet">
      <a className="skip" href="#sign-up-email">
        {skipLink}
      </a>
      <Masthead withTagline />
      <main>
        <Hero values={values} parts={parts} />
        {stillSections.map((name) => (
          <StaticPart
            key={name}
            as="section"
            className={`${name} later`}
            labelledBy={name}
            name={name}
            parts={parts}
          />
        ))}
        <ClosingCall values={values} />
      </main>
      <StaticPart as="footer" className="footer" name="footer" parts={parts} />
    </div>
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

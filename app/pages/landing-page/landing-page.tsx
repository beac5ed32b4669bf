import { footer, skipLink } from '#content/landing-page.ts'
import type { PageProps } from '../app.tsx'
import { Copyright, Masthead } from '../frame/frame.tsx'
import { StaticPart } from '../static-part.tsx'
import { ClosingCall } from './closing-call.tsx'
import { Hero } from './hero.tsx'

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
        <StaticPart
          as="section"
          className="included later"
          labelledBy="whats-included"
          name="whats-included"
          parts={parts}
        />
        <StaticPart
          as="section"
          className="works later"
          labelledBy="how-it-works"
          name="how-it-works"
          parts={parts}
        />
        <StaticPart
          as="section"
          className="creator later"
          labelledBy="creator-note"
          name="creator-note"
          parts={parts}
        />
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

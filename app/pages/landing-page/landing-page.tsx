import { signUpAnchors } from '../page-anchors.ts'
import { skipLink } from '#content/landing-page.ts'
import { Masthead } from '../frame/masthead.tsx'
import type { PageValues } from '../page-values.ts'
import { StaticPart, type StaticParts } from '../static-part.tsx'
import { ClosingCall } from './closing-call.tsx'
import { Hero } from './hero.tsx'

interface LandingPageProps {
  values: PageValues
  parts: StaticParts
}

/** The parts with a form or a tooltip are React in the browser too; the others stay as the build has made them. */
export function LandingPage({ values, parts }: LandingPageProps) {
  return (
    <div className="sheet">
      <a className="skip" href={`#${signUpAnchors.hero}-email`}>
        {skipLink}
      </a>
      <Masthead withTagline />
      <main>
        <Hero values={values} parts={parts} />
        <StaticPart
          as="section"
          className="included"
          labelledBy="whats-included"
          name="whats-included"
          parts={parts}
        />
        <StaticPart
          as="section"
          className="works"
          labelledBy="how-it-works"
          name="how-it-works"
          parts={parts}
        />
        <StaticPart
          as="section"
          className="creator"
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

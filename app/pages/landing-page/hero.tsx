import { hero } from '#content/landing-page.ts'
import { PriceLine } from '../frame/price-line.tsx'
import { signUpAnchors } from '../page-anchors.ts'
import type { PageValues } from '../page-values.ts'
import { SignUpForm } from '../sign-up/sign-up-form.tsx'
import { StaticPart, type StaticParts } from '../static-part.tsx'
import { ChartLegend } from './chart-legend.tsx'

export function Hero({ values, parts }: { values: PageValues; parts: StaticParts }) {
  const { badge, heading, lede, formName, button } = hero
  const [firstLine, rest] = heading
  return (
    <section className="hero" aria-labelledby="top">
      <PriceLine tag="0.00">
        <p className="badge">{badge}</p>
      </PriceLine>
      <h1 id="top">
        <span className="line">{firstLine}</span> {rest}
      </h1>
      <p className="lede">{lede}</p>
      <SignUpForm id={signUpAnchors.hero} form="hero" name={formName} button={button} values={values} />
      <figure className="figure">
        <ChartLegend />
        <StaticPart as="div" className="chart-window" name="chart" parts={parts} />
      </figure>
    </section>
  )
}

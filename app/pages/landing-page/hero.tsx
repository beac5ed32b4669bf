import type { ReactNode } from 'react'
import { kit } from '#content/kit.ts'
import { chart, hero } from '#content/pages/landing-page.ts'
import { PriceLine } from '../frame/frame.tsx'
import { SignUpForm } from '../sign-up/sign-up-form.tsx'
import { StaticPart, type StaticParts } from '../static-part.tsx'
import { Tooltip } from '../ui/tooltip.tsx'

export function Hero({ parts }: { parts: StaticParts }) {
  const { badge, heading, lede, formName, button } = hero
  const [firstLine, rest] = heading
  return (
    <section className="hero columns" aria-labelledby="top">
      <PriceLine tag="0.00">
        <p className="badge">{badge}</p>
      </PriceLine>
      <h1 id="top">
        <span className="line">{firstLine}</span> {rest}
      </h1>
      <p className="lede">{lede}</p>
      <SignUpForm id="sign-up" form="hero" name={formName} button={button} />
      <figure className="figure">
        <ChartLegend />
        <StaticPart as="div" name="chart" parts={parts} />
      </figure>
    </section>
  )
}

/** The lines at their true weight, if there are any, and a hollow and a solid bar. */
function ChartLegend() {
  const { up, down, sample } = chart
  return (
    <figcaption className="legend">
      {!kit.script.isYourOwn && <Average line="fast" />}
      {!kit.script.isYourOwn && <Average line="slow" />}
      <Key drawing={<path fill="none" stroke="var(--ink2)" d="M.5.5h6v13h-6z" />} width={7}>
        {up}
      </Key>
      <Key drawing={<path fill="var(--ink2)" d="M0 0h7v14H0z" />} width={7}>
        {down}
      </Key>
      <span className="sample">{sample}</span>
    </figcaption>
  )
}

function Average({ line }: { line: 'fast' | 'slow' }) {
  const { term, tip, role } = chart[line]
  return (
    <Key drawing={<path className={`${line}-line`} d="M0 7h22" />}>
      <Tooltip id={`about-${line}`} term={term}>
        {tip}
      </Tooltip>{' '}
      {role}
    </Key>
  )
}

function Key({
  drawing,
  width = 22,
  children,
}: {
  drawing: ReactNode
  width?: number
  children: ReactNode
}) {
  return (
    <span className="key">
      <svg width={width} height="14" aria-hidden="true">
        {drawing}
      </svg>
      <span>{children}</span>
    </span>
  )
}

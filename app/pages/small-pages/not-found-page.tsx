import { useEffect } from 'react'
import { chart } from '#content/pages/landing-page.ts'
import { notFoundPage } from '#content/pages/not-found.ts'
import type { PageProps } from '../page-values.ts'
import { Masthead, PriceLine, SmallFooter } from '../frame/frame.tsx'
import { StaticPart } from '../static-part.tsx'
import { LinkButton } from '../ui/button.tsx'

export function NotFoundPage({ parts }: PageProps) {
  useEffect(() => {
    console.error('There is no page at this address:', location.pathname)
  }, [])
  return (
    <div className="sheet">
      <Masthead />
      <main className="not-found">
        <PriceLine tag={notFoundPage.tag} />
        <h1>{notFoundPage.heading}</h1>
        <div className="not-found-text">
          <p className="not-found-message">{notFoundPage.message}</p>
          <p className="soft">{notFoundPage.text}</p>
          <LinkButton href="/">{notFoundPage.home}</LinkButton>
        </div>
        <figure className="figure">
          <figcaption className="legend">
            <span className="sample">{chart.sample}</span>
          </figcaption>
          <StaticPart as="div" className="chart-window" name="chart" parts={parts} />
        </figure>
      </main>
      <SmallFooter />
    </div>
  )
}

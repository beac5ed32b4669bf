import { chart } from '#content/pages/landing-page.ts'
import { homeLink, notFoundPage } from '#content/pages/not-found.ts'
import { drawChart } from '#kit/chart.ts'
import { Masthead, PriceLine, SmallFooter } from '../frame/frame.tsx'

/** `deadLink`: one more line, at the address of a personal page that does not exist. */
export function NotFoundPage({ deadLink }: { deadLink: string | undefined }) {
  const drawing = drawChart({ stopsShort: true })
  return (
    <>
      <Masthead />
      <main className="not-found columns">
        <PriceLine tag={notFoundPage.tag} />
        <h1>{notFoundPage.heading}</h1>
        <div className="not-found-text">
          <p className="not-found-message">{notFoundPage.message}</p>
          <p className="soft">{notFoundPage.text}</p>
          {deadLink && <p className="soft">{deadLink}</p>}
          <a className="button" href="/">
            {homeLink}
          </a>
        </div>
        <figure className="figure">
          <figcaption className="legend">
            <span className="sample">{chart.sample}</span>
          </figcaption>
          <div dangerouslySetInnerHTML={{ __html: drawing }} />
        </figure>
      </main>
      <SmallFooter />
    </>
  )
}

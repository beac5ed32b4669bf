import { drawChart } from '#site/chart/chart.ts'
import { useContent } from '#site/text/use-content.ts'
import { Masthead, PriceLine, SmallFooter } from '../frame/frame.tsx'
import '../frame/chart.css'
import '../ui/button.css'
import './not-found-page.css'

/** `deadLink`: one more line, at the address of a personal page that does not exist. */
export function NotFoundPage({ deadLink }: { deadLink: string | undefined }) {
  const { landingPage, notFound, ourRun } = useContent()
  return (
    <>
      <Masthead />
      <main className="not-found columns">
        <PriceLine tag={notFound.tag} />
        <h1>{notFound.heading}</h1>
        <div className="not-found-text">
          <p className="not-found-message">{notFound.message}</p>
          <p className="soft">{notFound.text}</p>
          {deadLink && <p className="soft">{deadLink}</p>}
          <a className="button" href="/">
            {notFound.homeLink}
          </a>
        </div>
        {ourRun && (
          <figure className="figure">
            <figcaption className="legend mono">
              <span className="sample">{landingPage.chart.sample}</span>
            </figcaption>
            <div dangerouslySetInnerHTML={{ __html: drawChart({ stopsShort: true }, ourRun) }} />
          </figure>
        )}
      </main>
      <SmallFooter />
    </>
  )
}

import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { kit } from '#content/kit.ts'
import { drawChart } from '#kit/chart.ts'
import { guideAsHtml } from '#kit/guide-html.ts'
import type { KitFile } from '#kit/kit-files.ts'
import { CreatorNote } from './landing-page/creator-note.tsx'
import { Footer } from './landing-page/footer.tsx'
import { HowItWorks } from './landing-page/how-it-works.tsx'
import { WhatsIncluded } from './landing-page/whats-included.tsx'
import type { PageName } from './page-values.ts'
import { KitPage } from './personal-page/kit-page.tsx'
import { ErasedPage, UnsubscribedPage, UnsubscribePage } from './personal-page/unsubscribe-pages.tsx'
import { AlreadyOnListPage, ErrorPage, SentPage } from './result-pages/result-page.tsx'
import type { StaticParts } from './static-part.tsx'

const address = '{{address}}'
const token = '{{token}}'

/** The parts of a page that React needs only here, in the build. */
export function renderStaticParts(page: PageName, files: readonly KitFile[]): StaticParts {
  const { script, guide } = kit
  const pricesOnly = script.isYourOwn
  switch (page) {
    case 'landing':
      return {
        chart: drawChart({ pricesOnly }),
        'whats-included': renderToStaticMarkup(<WhatsIncluded />),
        'how-it-works': renderToStaticMarkup(<HowItWorks />),
        'creator-note': renderToStaticMarkup(<CreatorNote />),
        footer: renderToStaticMarkup(<Footer />),
      }
    case 'not-found':
      return { chart: drawChart({ pricesOnly, stopsShort: true }) }
    case 'result-invalid':
      return {}
    case 'result-sent':
      return whole(<SentPage address={address} />)
    case 'result-already-on-list':
      return whole(<AlreadyOnListPage address={address} />)
    case 'result-error':
      return whole(<ErrorPage supportEmail="{{supportEmail}}" />)
    case 'kit':
      return whole(
        <KitPage
          address={address}
          token={token}
          files={files}
          guideHtml={guide.isYourOwn ? undefined : withoutPlaceholders(guideAsHtml())}
        />,
      )
    case 'unsubscribe':
      return whole(<UnsubscribePage address={address} token={token} />)
    case 'unsubscribed':
      return whole(<UnsubscribedPage address={address} />)
    case 'erased':
      return whole(<ErasedPage />)
  }
}

/** The guide quotes double braces that the visitor is to type: the server must not fill them. */
function withoutPlaceholders(html: string): string {
  return html.replaceAll('{{', '&#123;&#123;')
}

function whole(page: ReactNode): StaticParts {
  return { page: renderToStaticMarkup(page) }
}

import type { ReactNode } from 'react'
import { signUpText } from '#content/sign-up.ts'
import { LandingPage } from './landing-page/landing-page.tsx'
import { NotFoundPage } from './not-found-page.tsx'
import type { PageName, PageValues } from './page-values.ts'
import { InvalidAddressPage } from './result-pages/invalid-address-page.tsx'
import { StaticPart, type StaticParts } from './static-part.tsx'
import { Toaster } from './ui/toaster.tsx'
import { TooltipProvider } from './ui/tooltip.tsx'

export interface AppProps {
  page: PageName
  values: PageValues
  parts: StaticParts
}

/** The one root of every page, the same in the build and in the browser. */
export function App({ page, values, parts }: AppProps) {
  const { region, dismiss } = signUpText.toasts
  return (
    <Toaster regionName={region} dismissName={dismiss}>
      <TooltipProvider>{screenOf(page, values, parts)}</TooltipProvider>
    </Toaster>
  )
}

function screenOf(page: PageName, values: PageValues, parts: StaticParts): ReactNode {
  switch (page) {
    case 'landing':
      return <LandingPage values={values} parts={parts} />
    case 'not-found':
      return <NotFoundPage parts={parts} />
    case 'result-invalid':
      return <InvalidAddressPage values={values} />
    case 'result-sent':
    case 'result-already-on-list':
    case 'result-error':
    case 'kit':
    case 'unsubscribe':
    case 'unsubscribed':
    case 'erased':
      return <StaticPart as="div" className="sheet" name="page" parts={parts} />
  }
}

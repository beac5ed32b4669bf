import type { ReactNode } from 'react'
import { signUpText } from '#content/pages/sign-up.ts'
import { LandingPage } from './landing-page/landing-page.tsx'
import type { PageProps } from './page-values.ts'
import { ErrorPage, InvalidAddressPage } from './small-pages/small-pages.tsx'
import { StaticPart } from './static-part.tsx'
import { Toaster } from './ui/toaster.tsx'
import { TooltipProvider } from './ui/tooltip.tsx'

/** The pages that are React in the browser too. The others stay as the build rendered them. */
const hydratedPages = {
  landing: LandingPage,
  'result-invalid': InvalidAddressPage,
  'result-error': ErrorPage,
} satisfies Record<string, (props: PageProps) => ReactNode>

export type HydratedPageName = keyof typeof hydratedPages

/** The root of every page: the same in the build and, for a hydrated page, in the browser. */
export function App({ page, ...props }: PageProps & { page: string }) {
  const { region, dismiss } = signUpText.toasts
  const Page: (props: PageProps) => ReactNode = isHydrated(page) ? hydratedPages[page] : StaticPage
  return (
    <Toaster regionName={region} dismissName={dismiss}>
      <TooltipProvider>
        <Page {...props} />
      </TooltipProvider>
    </Toaster>
  )
}

export function isHydrated(page: string): page is HydratedPageName {
  return Object.hasOwn(hydratedPages, page)
}

function StaticPage({ parts }: PageProps) {
  return <StaticPart as="div" className="sheet" name="page" parts={parts} />
}

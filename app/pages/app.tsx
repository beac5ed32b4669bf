import type { ReactNode } from 'react'
import { signUpText } from '#content/pages/sign-up.ts'
import { LandingPage } from './landing-page/landing-page.tsx'
import type { PageProps } from './page-values.ts'
import { ErrorPage, InvalidAddressPage } from './small-pages/small-pages.tsx'
import { StaticPart } from './static-part.tsx'
import { Toaster } from './ui/toaster.tsx'
import { TooltipProvider } from './ui/tooltip.tsx'

/** The pages that are React in the browser too. The others stay as the build rendered them. */
const livePages = {
  landing: LandingPage,
  'result-invalid': InvalidAddressPage,
  'result-error': ErrorPage,
} satisfies Record<string, (props: PageProps) => ReactNode>

export type LivePageName = keyof typeof livePages

/** The root of every page: the same in the build and, for a live page, in the browser. */
export function App({ page, ...props }: PageProps & { page: string }) {
  const { region, dismiss } = signUpText.toasts
  const Page: (props: PageProps) => ReactNode = isLive(page) ? livePages[page] : StillPage
  return (
    <Toaster regionName={region} dismissName={dismiss}>
      <TooltipProvider>
        <Page {...props} />
      </TooltipProvider>
    </Toaster>
  )
}

export function isLive(page: string): page is LivePageName {
  return Object.hasOwn(livePages, page)
}

function StillPage({ parts }: PageProps) {
  return <StaticPart as="div" className="sheet" name="page" parts={parts} />
}

import { signUpText } from '#content/pages/sign-up.ts'
import { LandingPage } from './landing-page/landing-page.tsx'
import type { PageValues } from './page-values.ts'
import type { StaticParts } from './static-part.tsx'
import { Toaster } from './ui/toaster.tsx'
import { TooltipProvider } from './ui/tooltip.tsx'

/** The landing page: the same in the build and in the browser. The other pages stay as the build rendered them. */
export function App(props: { values: PageValues; parts: StaticParts }) {
  const { region, dismiss } = signUpText.toasts
  return (
    <Toaster regionName={region} dismissName={dismiss}>
      <TooltipProvider>
        <LandingPage {...props} />
      </TooltipProvider>
    </Toaster>
  )
}

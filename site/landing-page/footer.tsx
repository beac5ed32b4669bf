import { landingPage } from '#content/landing-page.ts'
import { Copyright } from '../frame/copyright.tsx'

export function Footer() {
  return (
    <>
      <Copyright />
      <div className="disclaimer">
        <p>{landingPage.footer.risk}</p>
        <p>{landingPage.footer.trademarks}</p>
      </div>
    </>
  )
}

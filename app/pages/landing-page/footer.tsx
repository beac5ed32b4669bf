import { footer } from '#content/landing-page.ts'
import { Copyright } from '../frame/copyright.tsx'

export function Footer() {
  return (
    <>
      <Copyright />
      <div className="disclaimer">
        <p>{footer.risk}</p>
        <p>{footer.trademarks}</p>
      </div>
    </>
  )
}

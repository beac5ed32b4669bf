import '../styles/tokens.css'
import '../styles/base.css'
import './frame.css'
import '../ui/tooltip.css' // its script is on every page
import type { ReactNode } from 'react'
import { useContent } from '#site/text/use-content.ts'
import { createToasts, Toaster } from '../ui/toaster.tsx'
import { usePictures } from './page-pictures.ts'

/** Ends every page. Its element is the root of the toaster in the browser. */
export function ToasterRoot() {
  const { signUp } = useContent()
  return (
    <div id="toaster">
      <Toaster toasts={createToasts()} words={signUp.toasts} />
    </div>
  )
}

/** Mark and name; on the landing page also the tagline. */
export function Masthead({ withTagline = false }: { withTagline?: boolean }) {
  const { brand } = useContent()
  return (
    <header className="masthead">
      <a className="brand" href="/">
        <Logo />
        {brand.name}
      </a>
      {withTagline && <p className="tagline mono soft">{brand.tagline}</p>}
    </header>
  )
}

/** Our mark, or the owner's. */
function Logo() {
  const { logo } = usePictures()
  if (logo) return <img src={logo.url} width={logo.width} height={logo.height} alt="" />
  return (
    <svg viewBox="0 0 30 20" width="30" height="20" aria-hidden="true">
      <path className="slow-line" d="M1 5c10 0 15 9 28 9" />
      <path className="fast-line" d="M1 18C14 18 16 2 29 2" />
    </svg>
  )
}

/** A dashed line to a value on the axis, as a chart marks the last price. */
export function PriceLine({ tag, children }: { tag: string; children?: ReactNode }) {
  return (
    <div className="price-line">
      {children}
      <span className="dashes" />
      <span className="tag mono" aria-hidden="true">
        {tag}
      </span>
    </div>
  )
}

/** An entry or an exit, drawn as in the chart: not every font has these signs. */
export function Mark({ kind }: { kind: 'up' | 'down' }) {
  return (
    <svg className={kind} viewBox="0 0 12 10" width="11" height="9" aria-hidden="true">
      <path d={kind === 'up' ? 'M6 0l6 10H0z' : 'M6 10l6-10H0z'} />
    </svg>
  )
}

/** The copyright line, and the links to privacy notice and imprint. */
export function Copyright() {
  const { brand, landingPage } = useContent()
  const { copyrightYear, name, privacyUrl, imprintUrl } = brand
  const { legalLinks } = landingPage
  return (
    <>
      <p>{`© ${copyrightYear} ${name}`}</p>
      <p className="legal">
        <a href={privacyUrl || '/privacy'}>{legalLinks.privacy}</a>{' '}
        {imprintUrl && <a href={imprintUrl}>{legalLinks.imprint}</a>}
      </p>
    </>
  )
}

export function SmallFooter() {
  const { landingPage } = useContent()
  return (
    <footer className="footer small-footer">
      <Copyright />
      <p>{landingPage.shortRisk}</p>
    </footer>
  )
}

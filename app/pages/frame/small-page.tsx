import type { ReactNode } from 'react'
import { shortRisk } from '#content/landing-page.ts'
import { Copyright } from './copyright.tsx'
import { Masthead } from './masthead.tsx'
import { PriceLine } from './price-line.tsx'

/** The frame of every page but the landing page: masthead, price line with the page's state, text, short footer. */
export function SmallPage({ tag, children }: { tag: string; children: ReactNode }) {
  return (
    <>
      <Masthead />
      <main className="small-page">
        <PriceLine tag={tag} />
        <div className="small-page-text">{children}</div>
      </main>
      <footer className="footer small-footer">
        <Copyright />
        <p>{shortRisk}</p>
      </footer>
    </>
  )
}

import type { ReactNode } from 'react'
import { Masthead, SmallFooter } from './frame.tsx'
import './small-page.css'

export interface SmallPageWords {
  heading: ReactNode
  text: ReactNode
  narrow?: boolean
  children?: ReactNode
}

/** The frame of every page but the landing page, the personal page and the 404 page. */
export function SmallPage({ heading, text, narrow, children }: SmallPageWords) {
  return (
    <>
      <Masthead />
      <main className="small-page columns">
        <h1 className="page-title">{heading}</h1>
        <div className="small-page-text">
          <p className={narrow ? 'page-lede soft narrow' : 'page-lede soft'}>{text}</p>
          {children}
        </div>
      </main>
      <SmallFooter />
    </>
  )
}

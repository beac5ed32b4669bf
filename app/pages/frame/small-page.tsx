import type { ReactNode } from 'react'
import { Masthead, SmallFooter } from './frame.tsx'
import './small-page.css'

export interface SmallPageWords {
  heading: string
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
        <h1>{heading}</h1>
        <div className="small-page-text">
          <p className={narrow ? 'soft narrow' : 'soft'}>{text}</p>
          {children}
        </div>
      </main>
      <SmallFooter />
    </>
  )
}

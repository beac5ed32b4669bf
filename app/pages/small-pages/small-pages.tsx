import type { ReactNode } from 'react'
import { homeLink } from '#content/pages/not-found.ts'
import { SmallPage, type SmallPageWords } from '../frame/frame.tsx'
import { LinkButton, SubmitButton, TextLink } from '../ui/button.tsx'
import { TickedSquare } from '../ui/glyphs.tsx'

// The pages that say one thing.

interface DonePageProps extends SmallPageWords {
  link?: { words: string; href: string }
  children?: ReactNode
}

/** Says what was done, and leads home. */
export function DonePage({ link, children, ...words }: DonePageProps) {
  return (
    <SmallPage {...words}>
      {children}
      {link && <TextLink {...link} />}
      <p>
        <LinkButton href="/">{homeLink}</LinkButton>
      </p>
    </SmallPage>
  )
}

/** The address stands between the two halves. */
export function AnswerNote({ halves: [before, after], address }: { halves: Halves; address: string }) {
  return (
    <div className="note result-note">
      <TickedSquare />
      <p>
        {before}
        <span className="address">{address}</span>
        {after}
      </p>
    </div>
  )
}

export type Halves = readonly [string, string]

interface ButtonPageProps extends SmallPageWords {
  button: string
  /** The form posts there. */
  action: string
  /** For those who do not want to press the button. */
  link?: { words: string; href: string }
}

/** Its one button does something: opening the link of a mail changes nothing. */
export function ButtonPage({ button, action, link, ...words }: ButtonPageProps) {
  return (
    <SmallPage {...words} narrow>
      <form method="post" action={action}>
        <SubmitButton>{button}</SubmitButton>
      </form>
      {link && <TextLink {...link} />}
    </SmallPage>
  )
}

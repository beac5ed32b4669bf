import type { ReactNode } from 'react'
import { homeLink } from '#content/pages/not-found.ts'
import { SmallPage, type SmallPageWords } from '../frame/frame.tsx'
import { LinkButton, SubmitButton, TextLink } from '../ui/button.tsx'
import { HalfSquare } from '../ui/glyphs.tsx'

// The pages that say one thing.

type Words = SmallPageWords & { link?: { words: string; href: string } }

/** Says what was done, and leads home. */
export function DonePage({ link, children, ...words }: Words & { children?: ReactNode }) {
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
      <HalfSquare />
      <p>
        {before}
        <span className="address">{address}</span>
        {after}
      </p>
    </div>
  )
}

export type Halves = readonly [string, string]

/** Its one button posts to `action`: opening the link of a mail changes nothing. `link`: for those who do not press it. */
export function ButtonPage(props: Words & { button: string; action: string }) {
  const { button, action, link, ...words } = props
  return (
    <SmallPage {...words} narrow>
      <form method="post" action={action}>
        <SubmitButton>{button}</SubmitButton>
      </form>
      {link && <TextLink {...link} />}
    </SmallPage>
  )
}

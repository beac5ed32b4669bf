import type { ReactNode } from 'react'
import { homeLink } from '#content/pages/not-found.ts'
import { SmallPage } from '../frame/frame.tsx'
import { LinkButton, SubmitButton } from '../ui/button.tsx'
import { TickedSquare } from '../ui/glyphs.tsx'

// The pages that say one thing.

interface PageWords {
  tag: string
  heading: string
  text: string
}

interface TextLinkProps {
  words: string
  href: string
}

interface DonePageProps extends PageWords {
  narrow?: boolean
  link?: TextLinkProps
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

interface AnswerPageProps {
  tag: string
  toast: { title: string; description: string }
  /** The address stands between the two halves. */
  note: readonly [string, string]
  address: string
  link: TextLinkProps
}

/** Answers a form posted without JavaScript, in the words of the toast. */
export function AnswerPage({ tag, toast, note: [before, after], address, link }: AnswerPageProps) {
  return (
    <DonePage tag={tag} heading={toast.title} text={toast.description} link={link}>
      <div className="note result-note">
        <TickedSquare />
        <p>
          {before}
          <span className="address">{address}</span>
          {after}
        </p>
      </div>
    </DonePage>
  )
}

interface ButtonPageProps extends PageWords {
  button: string
  /** The form posts there. */
  action: string
  /** For those who do not want to press the button. */
  link?: TextLinkProps
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

function TextLink({ words, href }: TextLinkProps) {
  return (
    <a className="text-link" href={href}>
      {words}
    </a>
  )
}

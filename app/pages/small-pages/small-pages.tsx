import { receiptsPath } from '#contract/sign-up.ts'
import { homeLink } from '#content/pages/not-found.ts'
import { resultPages } from '#content/pages/result-pages.ts'
import { signUpText } from '#content/pages/sign-up.ts'
import { SmallPage } from '../frame/frame.tsx'
import { LinkButton, SubmitButton } from '../ui/button.tsx'
import { TickedSquare } from '../ui/glyphs.tsx'

// The pages that say one thing. Those that answer a form posted without JavaScript use the words of the toasts.

interface ResultPageProps {
  address: string
  receipt: string
}

export function SentPage({ address, receipt }: ResultPageProps) {
  const { title, description } = signUpText.toasts.sent
  const { tag, note } = resultPages.sent
  return (
    <SmallPage tag={tag} heading={title} text={description}>
      <ResultNote address={address} words={note} />
      <ReceiptLink receipt={receipt} words={resultPages.receipt.link} />
      <HomeButton />
    </SmallPage>
  )
}

export function AlreadyOnListPage({ address, receipt }: ResultPageProps) {
  const { title, description } = signUpText.toasts.alreadyOnList
  const { tag, note } = resultPages.alreadyOnList
  return (
    <SmallPage tag={tag} heading={title} text={description}>
      <ResultNote address={address} words={note} />
      <ReceiptLink receipt={receipt} words={resultPages.receipt.link} />
      <HomeButton />
    </SmallPage>
  )
}

/** The server fills in all of its words but these. */
export function ReceiptPage(values: Record<'tag' | 'heading' | 'text' | 'receipt', string>) {
  return (
    <SmallPage {...values}>
      <ReceiptLink receipt={values.receipt} words={resultPages.receipt.again} />
      <HomeButton />
    </SmallPage>
  )
}

function ReceiptLink({ receipt, words }: { receipt: string; words: string }) {
  return (
    <a className="text-link" href={receiptsPath + receipt}>
      {words}
    </a>
  )
}

/** Asks first, because opening the link of a mail changes nothing. */
export function UnsubscribePage({ address, token }: { address: string; token: string }) {
  const { tag, heading, text, button, keep } = resultPages.unsubscribe
  return (
    <SmallPage tag={tag} heading={heading} text={text.join(address)} narrow>
      <form method="post" action={`/kit/${token}/unsubscribe`}>
        <SubmitButton>{button}</SubmitButton>
      </form>
      <a className="text-link" href={`/kit/${token}`}>
        {keep}
      </a>
    </SmallPage>
  )
}

/** Asks first, too. */
export function BlockPage({ address, token }: { address: string; token: string }) {
  const { tag, heading, text, button, keep } = resultPages.block
  return (
    <SmallPage tag={tag} heading={heading} text={text.join(address)} narrow>
      <form method="post" action={`/kit/${token}/block`}>
        <SubmitButton>{button}</SubmitButton>
      </form>
      <a className="text-link" href={`/kit/${token}`}>
        {keep}
      </a>
    </SmallPage>
  )
}

/** Says that it was done, and takes it back. */
export function BlockedPage({ token }: { token: string }) {
  const { tag, heading, text, button } = resultPages.blocked
  return (
    <SmallPage tag={tag} heading={heading} text={text} narrow>
      <form method="post" action={`/kit/${token}/unblock`}>
        <SubmitButton>{button}</SubmitButton>
      </form>
    </SmallPage>
  )
}

/** Where the mail about a new version leads. It offers to end everything as well. */
export function AnnouncementsPage({ address, token }: { address: string; token: string }) {
  const { tag, heading, text, button, everything } = resultPages.announcements
  return (
    <SmallPage tag={tag} heading={heading} text={text.join(address)} narrow>
      <form method="post" action={`/kit/${token}/announcements#what-changed`}>
        <SubmitButton>{button}</SubmitButton>
      </form>
      <a className="text-link" href={`/kit/${token}/unsubscribe`}>
        {everything}
      </a>
    </SmallPage>
  )
}

interface DonePageProps {
  tag: string
  heading: string
  text: string
  narrow?: boolean
}

/** Says what was done, and leads home. */
export function DonePage(props: DonePageProps) {
  return (
    <SmallPage {...props}>
      <HomeButton />
    </SmallPage>
  )
}

function ResultNote({
  address,
  words: [before, after],
}: {
  address: string
  words: readonly [string, string]
}) {
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

function HomeButton() {
  return (
    <p>
      <LinkButton href="/">{homeLink}</LinkButton>
    </p>
  )
}

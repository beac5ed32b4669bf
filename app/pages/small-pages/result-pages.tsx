import { notFoundPage } from '#content/not-found.ts'
import { resultPages } from '#content/result-pages.ts'
import { signUpText } from '#content/sign-up.ts'
import { SmallPage } from '../frame/frame.tsx'
import { LinkButton } from '../ui/button.tsx'
import { TickedSquare } from '../ui/glyphs.tsx'

/** The answers to a form posted without JavaScript: the words of the toasts, as pages. */
export function SentPage({ address }: { address: string }) {
  const [before, after] = resultPages.sent.note
  return (
    <SmallPage tag={resultPages.sent.tag}>
      <h1>{signUpText.toasts.sent.title}</h1>
      <p className="soft">{signUpText.toasts.sent.description}</p>
      <div className="note result-note">
        <TickedSquare />
        <p>
          {before}
          <span className="address">{address}</span>
          {after}
        </p>
      </div>
      <HomeButton />
    </SmallPage>
  )
}

export function AlreadyOnListPage({ address }: { address: string }) {
  const [before, after] = signUpText.note.alreadyOnList
  return (
    <SmallPage tag={resultPages.alreadyOnList.tag}>
      <h1>{signUpText.toasts.alreadyOnList.title}</h1>
      <p className="soft">{signUpText.toasts.alreadyOnList.description}</p>
      <div className="note result-note">
        <TickedSquare />
        <p>
          {before}
          <span className="address">{address}</span>
          {after} {signUpText.note.lookAfterAlreadyOnList}.
        </p>
      </div>
      <HomeButton />
    </SmallPage>
  )
}

export function HomeButton() {
  return (
    <p>
      <LinkButton href="/">{notFoundPage.home}</LinkButton>
    </p>
  )
}

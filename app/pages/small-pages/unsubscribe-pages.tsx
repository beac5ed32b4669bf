import { resultPages } from '#content/result-pages.ts'
import { SmallPage } from '../frame/frame.tsx'
import { SubmitButton } from '../ui/button.tsx'
import { HomeButton } from './result-pages.tsx'

/** Asks first, because opening the link of a mail changes nothing. */
export function UnsubscribePage({ address, token }: { address: string; token: string }) {
  const { tag, heading, text, button, keep } = resultPages.unsubscribe
  return (
    <SmallPage tag={tag}>
      <h1>{heading}</h1>
      <p className="soft narrow">{text.join(address)}</p>
      <form method="post" action={`/kit/${token}/unsubscribe`}>
        <SubmitButton>{button}</SubmitButton>
      </form>
      <a className="text-link" href={`/kit/${token}`}>
        {keep}
      </a>
    </SmallPage>
  )
}

export function UnsubscribedPage({ address }: { address: string }) {
  const { tag, heading, text } = resultPages.unsubscribed
  return (
    <SmallPage tag={tag}>
      <h1>{heading}</h1>
      <p className="soft">{text.join(address)}</p>
      <HomeButton />
    </SmallPage>
  )
}

export function ErasedPage({ text }: { text: string }) {
  const { tag, heading } = resultPages.erased
  return (
    <SmallPage tag={tag}>
      <h1>{heading}</h1>
      <p className="soft narrow">{text}</p>
      <HomeButton />
    </SmallPage>
  )
}

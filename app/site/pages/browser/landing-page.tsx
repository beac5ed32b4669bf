import { startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { redirectMark } from '#contract/redirect-mark.ts'
import type { FormWords } from '../sign-up/form-words.ts'
import { Messages } from '../sign-up/messages.tsx'
import { faultId, useSignUp } from '../sign-up/use-sign-up.ts'
import { createToasts, type ShowToast, Toaster } from '../ui/toaster.tsx'
import { hideTooltipsOnEscape } from './hide-tooltips.ts'
import { offerLengths } from './lengths/offer-lengths.ts'
import { element, pageWords } from './page-elements.ts'

/** The part of the content that the code of the landing page needs. */
export interface LandingWords extends FormWords {
  /** The address of the words for trying lengths, if the chart is that of our script. */
  readonly lengthsUrl?: string
}

/**
 * Only the messages of the forms and the toasts are React in the browser; the rest of the page
 * stays as it was rendered. The start script imports it by this name.
 */
export function startPage(): void {
  hideTooltipsOnEscape()
  removeRedirectMark()
  const words = pageWords() as LandingWords // those of the landing page
  const toasts = createToasts()
  const { unreachable } = words.signUp.toasts
  offerLengths({ wordsUrl: words.lengthsUrl, unreachable, showToast: toasts.show })
  // A transition yields every few milliseconds, so that a press in between is answered at once.
  startTransition(() => {
    createRoot(element('toaster')).render(<Toaster toasts={toasts} words={words.signUp.toasts} />)
    for (const form of document.querySelectorAll<HTMLFormElement>('form.sign-up')) {
      const place = form.querySelector('.messages')
      if (!place) throw new Error('The form lacks a place for its messages')
      createRoot(place).render(<FormMessages form={form} words={words} showToast={toasts.show} />)
    }
  })
}

/** From the address that a visitor may share. */
function removeRedirectMark(): void {
  const url = new URL(location.href)
  if (!url.searchParams.has(redirectMark)) return
  url.searchParams.delete(redirectMark)
  history.replaceState(null, '', url)
}

interface FormMessagesProps {
  form: HTMLFormElement
  words: FormWords
  showToast: ShowToast
}

function FormMessages({ form, words, showToast }: FormMessagesProps) {
  const { state, choose, sendAgain, change } = useSignUp(form, { words, showToast })
  return (
    <Messages
      words={words}
      message={state.message}
      note={state.note}
      faultId={faultId(form)}
      onChoose={choose}
      onSendAgain={sendAgain}
      onChange={change}
    />
  )
}

import { startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import type { FormWords } from '../sign-up/form-words.ts'
import { type FormProps, SignUpForm } from '../sign-up/sign-up-form.tsx'
import { createToasts, Toaster } from '../ui/toaster.tsx'
import { hideTooltipsOnEscape } from './hide-tooltips.ts'
import { element, pageWords } from './page-elements.ts'

/**
 * Only the forms and the toasts are React in the browser; the rest of the page stays as it was
 * rendered. The start script imports it by this name.
 */
export function startPage(): void {
  hideTooltipsOnEscape()
  const words = pageWords() as FormWords // those of the landing page
  const toasts = createToasts()
  // A transition yields every few milliseconds, so that a press in between is answered at once.
  startTransition(() => {
    hydrateRoot(element('toaster'), <Toaster toasts={toasts} words={words.signUp.toasts} />)
    for (const root of document.querySelectorAll<HTMLElement>('[data-form]')) {
      const form = <SignUpForm {...readForm(root)} words={words} showToast={toasts.show} />
      hydrateRoot(root, form)
    }
  })
}

/** The values that the form was rendered with. */
function readForm(root: HTMLElement): FormProps {
  const form = root.querySelector('form')
  if (!form) throw new Error('The page lacks a form')
  return {
    id: root.dataset['form'] ?? '',
    form: form.querySelector<HTMLInputElement>('[name=form]')?.value ?? '',
    name: form.getAttribute('aria-label') ?? '',
    button: root.querySelector('button')?.textContent ?? '',
    compact: form.classList.contains('compact'),
  }
}

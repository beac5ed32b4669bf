import { signUpText } from '#content/sign-up.ts'
import type { Toast } from '../ui/toast-box.tsx'
import type { SignUpOutcome } from './send-sign-up.ts'

/** What a visitor is told about each outcome, in the words of the specification's error catalogue. */
export function toastFor(outcome: SignUpOutcome, supportEmail: string): Toast {
  const words = signUpText.toasts
  switch (outcome) {
    case 'sent':
      return { tone: 'success', ...words.sent }
    case 'already-on-list':
      return { tone: 'success', ...words.alreadyOnList }
    case 'refused':
      return {
        tone: 'error',
        ...words.refused,
        ...(supportEmail && { link: { words: words.supportLink, href: `mailto:${supportEmail}` } }),
      }
    case 'unreachable':
      return { tone: 'error', ...words.unreachable }
  }
}

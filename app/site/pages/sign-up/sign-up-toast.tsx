import { Filled } from '#site/text/filled.tsx'
import type { Toast } from '../ui/toaster.tsx'
import type { FormWords } from './form-words.ts'
import type { CallOutcome } from './send-sign-up.ts'

/** The words of the specification's error catalogue. */
export function toastFor(
  { kind }: CallOutcome,
  words: FormWords['signUp']['toasts'],
  supportEmail: string,
): Toast {
  const { sent, alreadyOnList, refused, unreachable, contactSupport } = words
  switch (kind) {
    case 'sent':
      return { tone: 'success', ...sent }
    case 'already-on-list':
      return { tone: 'success', ...alreadyOnList }
    case 'refused': {
      const link = supportEmail ? (
        <a href={`mailto:${supportEmail}`}>{contactSupport}</a>
      ) : (
        contactSupport
      )
      const description = <Filled text={refused.description} contactSupport={link} />
      return { tone: 'error', title: refused.title, description }
    }
    case 'unreachable':
      return { tone: 'error', ...unreachable }
  }
}

import { expect, test } from 'vitest'
import { toastFor } from './sign-up-toasts.ts'

// The error catalogue of the specification, typed out here on purpose: the texts are fixed byte for byte.
test.each([
  [
    'sent',
    'success',
    'Success! Check your email for the download link.',
    'The bot script and setup guide are on their way!',
  ],
  [
    'already-on-list',
    'success',
    "You're already on the list!",
    'Check your inbox for the original email with your download.',
  ],
  [
    'refused',
    'error',
    'Oops! Something went wrong.',
    'Please try again or contact support if the issue persists.',
  ],
  ['unreachable', 'error', 'Network error occurred.', 'Please check your connection and try again.'],
] as const)('%s is told in the words of the catalogue', (outcome, tone, title, description) => {
  expect(toastFor(outcome, '')).toEqual({ tone, title, description })
})

test('"contact support" leads to the support address and stays part of the sentence', () => {
  const { description, link } = toastFor('refused', 'help@example.com')
  expect(link).toEqual({ words: 'contact support', href: 'mailto:help@example.com' })
  expect(description).toContain(link?.words)
})

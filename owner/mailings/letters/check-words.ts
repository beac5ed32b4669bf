import { CommandError } from '#owner/acts/errors.ts'
import type { MailingWords } from '../mailings.ts'
import { checkLinks } from './links.ts'
import { checkPictures } from './pictures.ts'

/** Throws a CommandError that says why these words cannot be sent. */
export function checkWords({ subject, words }: Pick<MailingWords, 'subject' | 'words'>): void {
  if (subject.trim() === '') throw new CommandError('It has no subject yet.')
  if (words.trim() === '') throw new CommandError('It has no text yet.')
  checkPictures(words)
  checkLinks(words)
}

import { lines, link, part, text, valuesOf } from './schema.ts'

/**
 * Something else that you make. Without a title nothing stands there. The link is not rewritten.
 */
export const offerTexts = part(
  {
    label: 'Offer',
    whole: true,
    group: 'offer',
    where: 'On the personal page after the files, and as one line in the mail.',
  },
  {
    label: text('Advertisement', {
      label: 'What it is',
      where: 'Above the offer: say so if you earn from the link, such as “I earn from this link”.',
      room: 60,
    }),
    title: text('', { label: 'Title', room: 60, optional: true }),
    text: lines('', { label: 'Text', room: 300, optional: true }),
    linkText: text('', { label: 'Words of the link', room: 48, optional: true }),
    url: link('', { label: 'Link', optional: true }),
  },
)

export const offer = valuesOf(offerTexts)

export type Offer = typeof offer

/** True if there is a title. */
export function isOffered({ title }: Offer): boolean {
  return title.trim() !== ''
}

import { link, number, part, text, valuesOf } from './schema.ts'

export const brandTexts = part(
  { label: 'Name', group: 'name' },
  {
    name: text('Starter Bot', {
      label: 'Product name',
      where: 'At the top of every page, as sender of the mail, on the guide.',
      room: 40,
      drawn: ['guide', 'sharePicture'],
      isFact: true,
      often: true,
    }),
    tagline: text('{script} for Pine Script', {
      label: 'Tagline',
      where: 'Beside the name at the top of the page, where there is room.',
      room: 48,
    }),
    creatorName: text('[Creator name]', {
      label: 'Your name',
      where: 'Signs the note on the page and the mail.',
      room: 48,
      often: true,
    }),
    postalAddress: text('[Postal address]', {
      label: 'Postal address',
      where: 'At the bottom of every mail; the law asks for a real one.',
      room: 160,
      often: true,
    }),
    privacyUrl: link('', {
      label: 'Privacy notice of your own',
      under: 'Links in the footer',
      where: 'At the bottom of every page and mail. Empty: the one that comes with the site.',
      optional: true,
      often: true,
    }),
    imprintUrl: link('', {
      label: 'Imprint',
      under: 'Links in the footer',
      where: 'At the bottom of every page and mail. Empty: no link.',
      optional: true,
      often: true,
    }),
    language: text('en', {
      label: 'Language',
      where:
        'Of your texts, as a tag such as fr or pt-BR. Screen readers choose their voice by it.',
      room: 35,
      format: 'language',
    }),
    copyrightYear: number(2025, {
      label: 'Year',
      where: 'Beside the © at the foot of every page and mail.',
      from: 1900,
      to: 2100,
    }),
  },
)

export const brand = valuesOf(brandTexts)

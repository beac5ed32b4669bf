/** The owner of the site. Change these first. */
export interface Brand {
  /**
   * The product's name: at the top of every page, in search results, as sender and at the foot of
   * the mail, on the guide. Up to about 25 letters have room in the picture for shared links.
   */
  readonly name: string
  /** Beside the name at the top of the page, where there is room. */
  readonly tagline: string
  /** Signs the note on the page and the mail. */
  readonly creatorName: string
  /** Stands at the foot of every mail; the law asks for a real one. */
  readonly postalAddress: string
  /** Where your privacy notice is. Empty: the one that comes with the site, in pages/privacy.ts. */
  readonly privacyUrl: string
  /** Where your imprint is. Empty: no link. The law of many countries asks for one. */
  readonly imprintUrl: string
  /**
   * The language of your texts as a tag, such as fr or pt-BR. Change it if you translate them.
   * content.ts says which words stay English.
   */
  readonly language: string
  /** Beside the © at the foot of every page and mail. Fixed. */
  readonly copyrightYear: number
}

export const brand: Brand = {
  name: 'Starter Bot',
  tagline: '{script} for Pine Script',
  creatorName: '[Creator name]',
  postalAddress: '[Postal address]',
  privacyUrl: '',
  imprintUrl: '',
  language: 'en',
  copyrightYear: 2025,
}

/** The owner of the site. Change these first. */
export const brand = {
  /**
   * The product's name: at the top of every page, in search results, as sender and at the foot of
   * the mail, on the guide. Up to about 25 letters have room in the picture for shared links.
   */
  name: 'Starter Bot',
  /** Beside the name at the top of the page, where there is room. */
  tagline: 'EMA crossover for Pine Script',
  /** Signs the note on the page and the mail. */
  creatorName: '[Creator name]',
  /** Stands at the foot of every mail; the law asks for a real one. */
  postalAddress: '[Postal address]',
  /**
   * Where "contact support" leads and where replies to the mail go, unless SUPPORT_EMAIL is set.
   * Empty: the sender's address.
   */
  supportAddress: '',
  /**
   * Where your privacy notice and your imprint are. Empty: no link. The law of many countries asks
   * for both.
   */
  privacyUrl: '',
  imprintUrl: '',
  /**
   * The language of your texts as a tag, such as fr or pt-BR. Change it if you translate them.
   * content.ts says which words stay English.
   */
  language: 'en',
  /** Beside the © at the foot of every page and mail. Fixed. */
  copyrightYear: 2025,
}

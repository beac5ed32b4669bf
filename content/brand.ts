/** Who gives the script away. Change these first. */
export const brand = {
  name: 'Starter Bot',
  tagline: 'EMA crossover for Pine Script',
  /** Signs the note on the page and the mail. */
  creatorName: '[Creator name]',
  /** Stands at the foot of every mail; the law asks for a real one. */
  postalAddress: '[Postal address]',
  /** Where "contact support" leads and where replies to the mail go, unless SUPPORT_EMAIL is set. Empty: the sender's address. */
  supportAddress: '',
  copyrightYear: 2025,
}

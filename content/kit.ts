/** One of the two files you give away. */
export interface KitPart {
  /**
   * What it is called on the page, in the mail and where a visitor saves it: letters, digits, dots and hyphens, with
   * .pine or .pdf at the end. Its address in the mail stays the same, whatever you call it.
   */
  readonly name: string
  /**
   * `true`: your own file of that name, in the folder content/kit/, is given away. What is drawn from our script's run
   * (the two lines, the trades, the messages) is then shown nowhere.
   */
  readonly isYourOwn: boolean
}

/** What you give away. docs/make-it-yours.md takes you through it. */
export const kit: { readonly script: KitPart; readonly guide: KitPart } = {
  script: { name: 'ema-crossover.pine', isYourOwn: false },
  /** Unless it is your own, it is made from the words in setup-guide.ts and from the script. */
  guide: { name: 'setup-guide.pdf', isYourOwn: false },
}

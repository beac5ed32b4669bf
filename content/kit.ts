/** One of the two files you give away. */
export interface KitPart {
  /**
   * The name on the page, in the mail and of the saved file: letters, digits, dots and hyphens,
   * with .pine or .pdf at the end.
   */
  readonly name: string
  /**
   * Is set where a file of the owner's is published. The drawings of our script's run (the two
   * lines, the trades, the messages) are then left out everywhere.
   */
  readonly isYourOwn: boolean
}

/** The two files that are given away. */
export interface Kit {
  readonly script: KitPart
  readonly guide: KitPart
}

export const kit: Kit = {
  script: { name: 'ema-crossover.pine', isYourOwn: false },
  /** Made from setup-guide.ts and the script, unless it is your own. */
  guide: { name: 'setup-guide.pdf', isYourOwn: false },
}

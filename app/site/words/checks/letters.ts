/** The letters of the page's font, as the build cuts it. Others are shown in another face. */
const pageLetters = /[ -~\u{A0}-\u{17F}–—‘’“”…−\n]/u

/** The letters of the fonts that guide and share picture are drawn with: Besley, Latin. */
const drawnLetters =
  /[ -~\u{A0}-\u{17F}\u{212}\u{213}\u{218}-\u{21B}\u{1E80}-\u{1E89}ẞỲỳ–—‘’‚“”„†•…‹›€−\n]/u

export function missingOnPage(text: string): string | undefined {
  return lettersIn(text).find((letter) => !pageLetters.test(letter))
}

export function missingInDrawings(text: string): string | undefined {
  return lettersIn(text).find((letter) => !drawnLetters.test(letter))
}

export function lettersIn(text: string): string[] {
  return Array.from(text)
}

/** Twice the width of the text in a mail, for sharp screens. */
export const widestPicture = 1104

// The limits that server and browser share.

/** The last day of the series. */
export const maxAfterDays = 60

/** The warm-up of a new sender begins with so many mails: a smaller list never meets it. */
export const firstDayMails = 1_000

/** Twice the width of the text in a mail, for sharp screens. */
export const widestPicture = 1104

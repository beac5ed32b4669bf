import { oneOf, wordsOf } from './header-words.ts'

/**
 * Beside "email" they still name the person's own address: not the sender's, or a number of mails.
 */
const isPersonWord = oneOf(
  `account address addresses adresse billing business buyer contact customer home login main member
  person personal primary private purchase recipient subscriber user work your`,
)

/** The names of a column of addresses, the clearest first. */
const kinds: readonly ((words: string[]) => boolean)[] = [
  (words) => ['email', 'emailaddress', 'emailadresse'].includes(words.join('')),
  (words) =>
    words.includes('email') && words.every((word) => word === 'email' || isPersonWord(word)),
  // Tables of returned mail.
  (words) =>
    `recipient recipients recipientemail finalrecipient bouncedemail bouncedaddress rcptto to
    subscriber address`
      .split(/\s+/)
      .includes(words.join('')),
]

/** The position of the column with the addresses. Undefined: none is named like one. */
export function findAddressColumn(header: readonly string[]): number | undefined {
  const columns = header.map(wordsOf)
  for (const isKind of kinds) {
    const index = columns.findIndex(isKind)
    if (index !== -1) return index
  }
  return undefined
}

import { oneOf, wordsOf } from './header-words.ts'

/** Why somebody may not be mailed. */
export type LeftReason =
  'unsubscribed' | 'complaint' | 'hard-bounce' | 'soft-bounce' | 'not-confirmed'

type Leaning = 'allowed' | LeftReason

/**
 * What a value says about mail to its person. `isStrong`: whatever its column is about. `silent`:
 * it is empty.
 */
export type Permission =
  | { kind: 'allowed' | 'silent' | 'unclear' }
  | { kind: 'left'; reason: LeftReason; isStrong: boolean }

/** What the name of a column says about its values. */
export interface ColumnMeaning {
  /** What a yes, a date or a count means. Undefined: only words tell. */
  yes: Leaning | undefined
  /** What a no means where a yes means `allowed`. */
  no: LeftReason
  /** Any text there is a yes: "Hard bounce reason". */
  isReason: boolean
  /** `likely`: its values tell if it is about mail. A column "State" may hold "CA". */
  strength: 'certain' | 'likely'
}

const signsOfConsent = `subscribe subscribed subscribes resubscribed optin* consent* einwillig*
  contactable mailable marketable deliverable`
const isSignOfConsent = oneOf(signsOfConsent)

interface Entry {
  leaning: Leaning
  always(word: string): boolean
  aboutMail(word: string): boolean
}

/**
 * `aboutMail`: these count only beside a topic, or in a column about mail: a card can be declined
 * as well. A star stands for any ending. Earlier entries win.
 */
const vocabulary: readonly Entry[] = [
  means('complaint', 'complain* spam* abuse* junk*'),
  means('soft-bounce', 'softbounce*'),
  means('hard-bounce', 'hardbounce* bounce* bouncing undeliver* unreachable cleaned', 'invalid'),
  means(
    'not-confirmed',
    'unconfirmed unverified unactivated',
    'pending awaiting waiting invited validating',
  ),
  means(
    'unsubscribed',
    `unsub* optout* nonsub* dnc blocked blocklist* blacklist* suppress* quarantin* deactivated
    disabled inactive deleted removed archived banned suspended abgemeldet ausgetragen désinscri*
    désabonn* baja desuscri* disiscri* uitgeschreven afgemeld`,
    'cancel* declin* denied exclude* expired left off paused reject* refus* revok* withdr*',
  ),
  means(
    'allowed',
    signsOfConsent,
    `accept* activated active agree* allow* can confirm* enabled gets granted may ok on permi*
    receive* regular valid verified wants`,
  ),
]
const isOfVocabulary = (word: string) =>
  vocabulary.some(({ always, aboutMail }) => always(word) || aboutMail(word))
const isStillToConfirm = oneOf('activated confirm* verified')

const isTopic = oneOf(
  `announcements broadcasts communication* contact email mailing* marketing news newsletter*
  offers promotion* send updates`,
)
const isNegation = oneOf('cannot cant dont never no non not stop without')
/** With these a column is about another medium, or about a detail. */
const isOtherSubject = oneOf(
  `sms phone mobile call* text push whatsapp fax postal post plan tier price product wallet rate
  score percentage ip id url link campaign title country page sent open* click* last recent recency
  frequency`,
)
const isReasonWord = oneOf('reason*')
const isStateWord = oneOf('status state type statut stato estado')
/** Beside `status`: it is still about mail. */
const isOfTheList = oneOf(
  `account audience confirmation current delivery is list member membership person recipient
  subscriber subscription the user`,
)
const isFiller = oneOf('a all for from gets list of our the to')
/** The owner is told of such a column if it is not used. */
const isConsentWord = oneOf(
  `active enabled opt opted subscribe* subscription* optin* consent* accept* agree* permi* confirm*
  gdpr dsgvo marketing newsletter* mailing*`,
)

/** What the name of a column says. Undefined: it is about something else. */
export function meaningOf(name: string): ColumnMeaning | undefined {
  const words = wordsOf(name)
  if (words.some(isOtherSubject)) return undefined
  const isReason = words.some(isReasonWord)
  const isOfMail = words.some((word) => isTopic(word) || isSignOfConsent(word)) // "Consent withdrawn"
  const isOnlyState = words.every((word) => isOfVocabulary(word) || word === 'is') // "is_active"
  const yes = leaningOf(words, isOfMail || isOnlyState)?.leaning
  const no = words.some(isStillToConfirm) ? 'not-confirmed' : 'unsubscribed'
  const rest = words.filter((word) => !isStateWord(word))
  if (rest.length < words.length) {
    const isOfList = yes !== undefined || rest.every((word) => isOfTheList(word) || isTopic(word))
    const isPlain = words.includes('status') || (words.includes('state') && rest.length > 0)
    return { yes, no, isReason, strength: isOfList && isPlain ? 'certain' : 'likely' }
  }
  if (yes) {
    const isOfOtherThings = isOnlyState && leaningOf(words, false) === undefined
    return { yes, no, isReason, strength: isOfOtherThings ? 'likely' : 'certain' }
  }
  // "Newsletter", where others write "Gets the newsletter".
  const isOnlyTopic = words.some(isTopic) && words.every((word) => isTopic(word) || isFiller(word))
  return isOnlyTopic ? { yes: 'allowed', no, isReason, strength: 'likely' } : undefined
}

/** A column whose name sounds like consent or leaving, also if nothing can be read from it. */
export function soundsLikeConsent(name: string): boolean {
  const words = wordsOf(name)
  if (words.some(isOtherSubject)) return false
  const found = leaningOf(words, true)
  return words.some(isConsentWord) || (found !== undefined && found.leaning !== 'allowed')
}

const yesWords = new Set(['yes', 'y', 'true', 't', '1', 'x', '✓', 'ja', 'wahr', 'oui', 'sí', 'si'])
const noWords = new Set(['no', 'n', 'false', 'f', '0', 'never', 'nein', 'falsch', 'non'])
const emptyWords = new Set(['', '-', 'null', 'none', 'n/a', 'na', 'nan', 'undefined'])
/** A day or a time in any notation, or seconds since 1970. */
const looksLikeTime =
  /\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}|^\s*\d{10,13}\s*$|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b.*\b(?:19|20)\d\d\b/i
const noTime = /^\s*0000-00-00/
const maxWords = 6 // a longer text is a note

export function isTime(text: string): boolean {
  return looksLikeTime.test(text) && !noTime.test(text)
}

/** What a value says in a column of this meaning. Pure: the reading of a table is made of it. */
export function permissionOf({ yes, no, isReason }: ColumnMeaning, value: string): Permission {
  const word = value.trim().toLowerCase()
  if (emptyWords.has(word)) return { kind: 'silent' }
  if (noWords.has(word) || noTime.test(word)) {
    if (yes === undefined) return { kind: 'unclear' }
    return yes === 'allowed' ? left(no, false) : { kind: 'allowed' }
  }
  const isCount = /^\d{1,9}$/.test(word) && yes !== 'allowed'
  if (yesWords.has(word) || isCount || isTime(word)) {
    if (yes === undefined) return { kind: 'unclear' }
    return yes === 'allowed' ? { kind: 'allowed' } : left(yes, false)
  }
  if (isReason && yes !== undefined && yes !== 'allowed') return left(yes, false)
  const words = wordsOf(value)
  const found = words.length <= maxWords ? leaningOf(words, true) : undefined
  if (!found) return { kind: 'unclear' }
  if (found.leaning !== 'allowed') return left(found.leaning, found.isStrong)
  // "Email disabled: enabled" can mean both.
  const isContrary = yes !== undefined && yes !== 'allowed' && !found.isStrong
  return { kind: isContrary ? 'unclear' : 'allowed' }
}

/** True if a value of a column without a telling name is about somebody who left. */
export function saysTheyLeft(value: string): boolean {
  const words = wordsOf(value)
  const found = words.length <= 3 ? leaningOf(words, false) : undefined
  return found !== undefined && found.leaning !== 'allowed'
}

function left(reason: LeftReason, isStrong: boolean): Permission {
  return { kind: 'left', reason, isStrong }
}

/** `isAboutMail`: the words stand where mail is spoken of. Undefined: they say nothing of it. */
function leaningOf(
  words: readonly string[],
  isAboutMail: boolean,
): { leaning: Leaning; isStrong: boolean } | undefined {
  // "Phone no" is a number.
  const negations = words.filter(
    (word, at) => isNegation(word) && !(word === 'no' && at > 0 && at === words.length - 1),
  )
  const isNegated = negations.length % 2 === 1
  const found = vocabulary.find(
    ({ always, aboutMail }) => words.some(always) || (isAboutMail && words.some(aboutMail)),
  )
  if (!found) {
    const isRefusal = isNegated && words.some(isTopic) // "Do not contact"
    return isRefusal ? { leaning: 'unsubscribed', isStrong: true } : undefined
  }
  const isStrong = words.some(found.always)
  if (!isNegated) return { leaning: found.leaning, isStrong }
  if (found.leaning !== 'allowed') return { leaning: 'allowed', isStrong }
  return { leaning: words.some(isStillToConfirm) ? 'not-confirmed' : 'unsubscribed', isStrong }
}

function means(leaning: Leaning, always: string, aboutMail = ''): Entry {
  return { leaning, always: oneOf(always), aboutMail: oneOf(aboutMail) }
}

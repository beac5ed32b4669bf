/** A mail that was not accepted, as a relay, a mail API or a table of bounces reports it. */
export interface Refusal {
  /**
   * What was answered. `recipient`: RCPT TO, or a report of what the recipient's server said.
   * `earlier`: the greeting, AUTH, MAIL FROM and whatever else names no recipient.
   */
  to: 'recipient' | 'data' | 'earlier'
  /** With its codes: "550 5.1.1 User unknown". */
  said: string
  /** Where the mail went. */
  recipient: string
}

/**
 * `person`: there is no such mailbox, so the person comes off the list. `person-later`: the mail is
 * tried again on the schedule. `us`: everything else. The mail waits and uses up no try.
 */
export type Blame = 'person' | 'person-later' | 'us'

/** RFC 3463 and RFC 7505: no such mailbox or domain, bad syntax, moved, no mail taken, disabled. */
const goneCodes = new Set(['5.1.1', '5.1.2', '5.1.3', '5.1.6', '5.1.10', '5.2.1'])

/**
 * The only rule for whose fault a refusal is. It asks for evidence about the mailbox: relays refuse
 * quotas, rates, senders and spam with the codes that RFC 5321 gives to mailboxes.
 */
export function blameFor({ to, said, recipient }: Refusal): Blame {
  const { status, enhanced, all } = codesIn(said)
  const words = plainWords(said, recipient)
  // 421 ends the session, whatever it answers (RFC 5321 4.2.3).
  if (to === 'earlier' || status === 421 || aboutSender.test(words)) return 'us'
  const isFinal = status === undefined ? enhanced?.startsWith('5') : status >= 500
  if (isFinal === false) return isForLater(to, enhanced, words) ? 'person-later' : 'us'
  if (enhanced === undefined) {
    // 50x is about our commands, 53x about our sign-in.
    const isOfMailboxes = status === undefined || (status >= 550 && status < 560)
    return to === 'recipient' && isOfMailboxes && saysNoMailbox(words) ? 'person' : 'us'
  }
  return all.every((code) => goneCodes.has(code)) && !aboutMuchMail.test(words) ? 'person' : 'us'
}

/**
 * x.1 is about the recipient's address, x.2 about the mailbox; x.1.7 and x.1.8 about the sender.
 */
function isForLater(to: Refusal['to'], enhanced: string | undefined, words: string): boolean {
  if (enhanced === undefined) return to === 'recipient' && !aboutRate.test(words)
  return /^\d\.[12]\./.test(enhanced) && !/^\d\.1\.[78]$/.test(enhanced)
}

export interface Codes {
  status: number | undefined
  /** RFC 3463: `5.1.1`. The first that says something: x.0.0 does not. */
  enhanced: string | undefined
  /** A relay may quote another server, whose code can say something else. */
  all: string[]
}

/** RFC 2034: at the start, or behind the reply code. qmail has it at the end: "(#5.1.1)". */
export function codesIn(said: string): Codes {
  const [, status] = /(?:^|[\s;:])([245]\d\d)(?![\d.])/.exec(said) ?? []
  const found = [...said.matchAll(enhancedCode)].map(([code]) => code)
  const telling = found.filter((code) => !code.endsWith('.0.0'))
  const all = telling.length > 0 ? telling : found
  return { status: status === undefined ? undefined : Number(status), enhanced: all[0], all }
}

const enhancedCode = /(?<=^|[\s;:#(=,[]|\b\d{3}-)[245]\.[0-7]\.\d{1,3}(?!\.?\d)/g

/**
 * The words in lower case, without codes, numbers, addresses and host names, so that the same
 * answer about two people reads the same. The recipient's address becomes "mailbox".
 */
export function plainWords(said: string, recipient: string): string {
  const address = recipient.toLowerCase()
  const localPart = address.slice(0, address.lastIndexOf('@'))
  const [mailbox = ''] = localPart.split('+')
  const isRecipient = (word: string) =>
    word === address || (word.length > 2 && [localPart, mailbox].includes(word))
  const words = said
    .toLowerCase()
    .replaceAll(/\b[245]\d\d-(?=\S)/g, ' ') // "550-User unknown"
    .replaceAll('\u2019', "'")
    .replaceAll(/(?<=^|\s)'|'(?=[\s.,;:!?]|$)/g, ' ')
    .split(/[\s<>()[\]{}"=]+/)
  return words
    .map((word) => (isRecipient(bare(word)) ? word.replace(bare(word), 'mailbox') : word))
    .filter((word) => !/\d|@|[a-z-]\.[a-z-]/.test(word))
    .join(' ')
    .replaceAll(/ (?=[.,;:!?])/g, '')
    .trim()
}

/** Without the punctuation around it. */
function bare(word: string): string {
  return word.replace(/^[.,;:!?']+/, '').replace(/[.,;:!?']+$/, '')
}

const aboutSender =
  /\bsender\b|\b(?:mail from|from address|return[ -]path|envelope from)\b|\brelay(?:ing)?\b(?! recipient table)/
const rateWords = [
  'rates?',
  'limit(?:s|ed|ing)?',
  String.raw`frequen\w+`,
  String.raw`throttl\w+`,
  String.raw`slow\w*`,
  'too (?:many|much|fast|quickly)',
]
const muchMailWords = [
  ...rateWords,
  String.raw`(?:over)?quotas?|exceed\w*`,
  String.raw`spam\w*|virus\w*|polic(?:y|ies)`,
  String.raw`blacklist\w*|blocklist\w*|(?<!not )listed|reputation|ip`,
  String.raw`later|temporar\w+`,
]
/** At 4xx, where "later" says nothing: greylisting says it as well. */
const aboutRate = anyOf(rateWords)
/** GoDaddy gives 5.1.1 for mails of an hour, Gmail 5.2.1 for a rate, GMX 5.2.1 for a blacklist. */
const aboutMuchMail = anyOf(muchMailWords)
/** A refusal of us may name the mailbox in passing: "Unknown user name or bad password". */
const aboutUs = anyOf([
  ...muchMailWords,
  String.raw`block\w*|denied|not (?:allowed|permitted|authori[sz]ed)`,
  String.raw`authenticat\w+|password|log ?in|credentials?`,
  'try again|to send|sending|sent as|size|credits?|good standing',
  String.raw`your (?!(?:e?mail|message)\b)|(?:smtp|client) (?:user|account)`,
  'dns|ptr|spf|dkim|dmarc|helo|ehlo|firewall',
])

function anyOf(patterns: readonly string[]): RegExp {
  return new RegExp(String.raw`\b(?:${patterns.join('|')})\b`)
}

/** True if it is a refusal of us, whatever else it says. */
export function saysItIsUs(words: string): boolean {
  return aboutSender.test(words) || aboutUs.test(words)
}

const who =
  '(?:users?|mail ?box|recipients?|account|address|addressee|local[ -]?part|inbox|alias|customer|person|user ?name)'
const noMailbox = [
  // "No such local user here", "no such email address"
  `no such (?:[a-z-]+ ){0,2}${who}`,
  // "Unknown user", "invalid recipient", "unknown local part"
  `(?:unknown|non-?exist[ae]nt|unrecogni[sz]ed) (?:[a-z-]+ ){0,2}${who}(?! domain)`,
  '(?:invalid|bad destination) (?:[a-z-]+ )?(?:user|mail ?box|recipient|local[ -]?part)(?! domain)',
  // "User unknown", "mailbox not found", "address is not known here"
  `${who} (?:name |address |account )?(?:is |was )?(?:unknown|not (?:known|found|valid)|invalid|non-?exist[ae]nt)(?! (?:reason|error))`,
  `${who} (?:name |address |account )?(?:cannot|can't|could not|couldn't) be found`,
  `(?:cannot|can't|could not|couldn't|unable to) (?:find|locate) (?:[a-z-]+ ){0,2}${who}`,
  // "The email account that you tried to reach does not exist"
  `${who} (?:(?!domain|hosts?|server|record)[a-z'-]+ ){0,8}(?:does not|doesn't|doesnt|did not|do not|don't|not|no longer) exists?`,
  // "Sorry, no mailbox here by that name"
  `no (?:one|user|mail ?box|account|recipient|inbox|person|body)(?: [a-z]+){0,2} (?:by|with|of|under) (?:that|this)`,
  'no (?:user|mail ?box|account|inbox) (?:mailbox )?(?:here|found|exists|for mailbox)',
  // "This user doesn't have a yahoo.com account"
  "(?:does not|doesn't|doesnt) have an? (?:[a-z-]+ )?(?:account|mail ?box|inbox)",
  // "User not listed in Domino Directory", "not our customer"
  `${who} (?:mailbox )?not listed in (?:[a-z-]+ ){0,3}directory`,
  'not our (?:user|customer)',
  // "is not a valid mailbox"
  '(?:not|no) an? (?:valid|known|existing) (?:[a-z-]+ )?(?:user|mail ?box|recipient|account|inbox)',
].map((pattern) => new RegExp(String.raw`\b${pattern}\b`))

function saysNoMailbox(words: string): boolean {
  return !saysItIsUs(words) && noMailbox.some((pattern) => pattern.test(words))
}

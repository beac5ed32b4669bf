/** An address that can get mail, and its identity on the list. */
export interface EmailAddress {
  /** As typed, but with nothing around it, and with the domain as A-labels. Mail goes there. */
  address: string
  /** In lower case. Dots and tags are part of it. */
  identity: string
}

const maxLocalOctets = 64 // RFC 5321 4.5.3.1.1
const maxAddressOctets = 254 // RFC 5321 4.5.3.1.3, without the angle brackets
const localPart = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/
const domainLabel = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i
/** Neither an empty Braille cell nor the place of a picture counts as visible. */
const visible = /(?![\u2800\ufff9-\ufffc])[^\s\p{DI}](?:.*(?![\u2800\ufff9-\ufffc])[^\s\p{DI}])?/su
const encodedWord = /=\?.*\?=/ // RFC 2047: some mailers decode it and send to the result

/**
 * Parses typed text by the rule of HTML's `input type=email`, with the exceptions in
 * docs/decisions/0005-what-counts-as-an-address.md. Undefined: not an address.
 */
export function parseEmailAddress(text: string): EmailAddress | undefined {
  const typed = visiblePart(text).replace(/[＠﹫]/, '@') // an East Asian keyboard types them
  const at = typed.lastIndexOf('@')
  const local = typed.slice(0, at)
  if (
    at < 1 ||
    local.length > maxLocalOctets ||
    !localPart.test(local) ||
    encodedWord.test(local)
  ) {
    return undefined
  }
  const domain = asciiDomain(typed.slice(at + 1))
  if (domain === undefined || local.length + 1 + domain.length > maxAddressOctets) return undefined
  return { address: `${local}@${domain}`, identity: `${local}@${domain}`.toLowerCase() }
}

/**
 * Finds the address in what a person typed or pasted into a form: also with a comma or a dot behind
 * it, and in `Jane <jane@example.com>`. Undefined: there is none. A plain address is parsed
 * unchanged.
 */
export function findEmailAddress(text: string): EmailAddress | undefined {
  const pasted = visiblePart(text)
  const bracketed = /<([^<>]+)>[\s,;.]{0,5}$/.exec(pasted)
  // The count is limited, because an unlimited one takes long for a text of commas.
  return parseEmailAddress((bracketed?.[1] ?? pasted).replace(/[\s,;.]{1,5}$/, ''))
}

/**
 * Without white space and invisible characters at both ends: phones paste marks for the direction
 * of text, web pages spaces without width and soft hyphens.
 */
function visiblePart(text: string): string {
  return visible.exec(text)?.[0] ?? ''
}

function asciiDomain(typed: string): string | undefined {
  const domain = /[^\0-\x7f]/.test(typed) ? unicodeToAscii(typed) : typed
  const labels = domain?.split('.') ?? []
  const last = labels.at(-1) ?? ''
  if (labels.length < 2 || last.length < 2 || /^\d+$/.test(last)) return undefined
  return labels.every((label) => domainLabel.test(label)) ? domain : undefined
}

/**
 * The URL parser converts alike in every browser and in Node. It silently drops TAB, CR and LF,
 * hence the check before.
 */
function unicodeToAscii(domain: string): string | undefined {
  if (/[^\w.\-\x80-\uffff]/.test(domain)) return undefined
  try {
    return new URL(`http://${domain}`).hostname // URL.parse() is newer than browsers in use
  } catch {
    return undefined
  }
}

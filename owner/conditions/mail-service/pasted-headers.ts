import { CommandError } from '#owner/acts/errors.ts'
import { organizationOf } from '../organization.ts'

/** The findings of a recipient's server on a mail (RFC 8601). */
export interface AuthenticationResults {
  /** `mx.google.com`. */
  receiver: string
  /** `pass`, `fail`, `none`, … Undefined: it did not look. */
  spf: string | undefined
  /** The result of each signature, and the domain that signed. */
  dkim: { result: string; domain: string }[]
  /** The domain of the sender. Undefined: the headers name none. */
  from: string | undefined
}

/** Reads pasted headers, also with the mail below them. Throws a CommandError if none are there. */
export function readAuthenticationResults(pasted: string): AuthenticationResults {
  const headers = headersIn(pasted)
  const found = headers.filter(({ name }) => name === 'authentication-results').map(readResults)
  const [first] = found
  if (!first) {
    throw new CommandError(
      'There is no line “Authentication-Results:” in it. Paste all headers of the test mail, as it arrived.',
    )
  }
  // Lines below the receiver's own were written on the way, by anybody. Apple's servers write a
  // line each, under names of their own.
  const results = found
    .filter(({ receiver }) => organizationOf(receiver) === organizationOf(first.receiver))
    .flatMap(({ results: ofOne }) => ofOne)
  const signers = headers
    .filter(({ name }) => name === 'dkim-signature')
    .map(({ value }) => /(?:^|;)\s*d\s*=\s*([\w.-]+)/.exec(value)?.[1]?.toLowerCase())
  const from = headers.find(({ name }) => name === 'from')?.value
  return {
    receiver: first.receiver,
    spf: results.find(({ method }) => method === 'spf')?.result,
    dkim: results
      .filter(({ method }) => method === 'dkim')
      // Zoho names no domain: its results are in the order of the signatures.
      .map(({ result, properties }, index) => ({
        result,
        domain: signerIn(properties) ?? signers[index] ?? '',
      })),
    from: from === undefined ? undefined : domainIn(from),
  }
}

interface Header {
  /** The name in lower case. */
  name: string
  value: string
}

/** The headers of one mail, each unfolded to one line. */
function headersIn(pasted: string): Header[] {
  const lines = pasted
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/\n[ \t]+/g, ' ')
    .split('\n')
  return lines.flatMap((line) => {
    const colon = line.indexOf(':')
    if (colon <= 0) return []
    return [
      { name: line.slice(0, colon).trim().toLowerCase(), value: line.slice(colon + 1).trim() },
    ]
  })
}

interface Result {
  method: string
  result: string
  /** `header.d`: `example.com`. */
  properties: ReadonlyMap<string, string>
}

function readResults({ value }: Header): { receiver: string; results: Result[] } {
  const parts = withoutComments(value)
    .split(';')
    .map((part) => part.trim())
  // Microsoft's own servers leave their name out.
  const isNamed = !(parts[0] ?? '').includes('=')
  const receiver = isNamed ? (parts.shift() ?? '').split(' ')[0]! : 'The receiver'
  return { receiver, results: parts.flatMap(readResult) }
}

function readResult(part: string): Result[] {
  const [[method = '', result = ''] = [], ...properties] = part
    .split(/\s+/)
    .map((pair) => pair.toLowerCase().replaceAll('"', '').split('='))
  if (method === '' || result === '') return []
  return [
    {
      method,
      result,
      properties: new Map(properties.map(([name = '', value = '']) => [name, value])),
    },
  ]
}

function withoutComments(value: string): string {
  let depth = 0
  let kept = ''
  for (const character of value) {
    if (character === '(') depth += 1
    if (depth === 0) kept += character
    if (character === ')' && depth > 0) depth -= 1
  }
  return kept
}

function signerIn(properties: ReadonlyMap<string, string>): string | undefined {
  return properties.get('header.d') ?? domainIn(properties.get('header.i') ?? '')
}

/** Returns the domain of `Name <a@example.com>` or `@example.com`. */
function domainIn(mailbox: string): string | undefined {
  return /@([\w.-]+)>?[^@]*$/.exec(mailbox)?.[1]?.toLowerCase()
}

import { type Bridge, type PatternRule, scriptMessage, type Verdict } from './bridge.ts'

/** A mistake in a message, in words. Code stands between backticks. */
export interface Complaint {
  readonly verdict: Verdict
  readonly what: string
  readonly cure: string
  /** Set if the mistake is in one line of several. */
  readonly line: number | undefined
}

type Words = Pick<Complaint, 'verdict' | 'what' | 'cure'>

/** Checks the message of an alert as the bridge would. Returns an empty list if no fault was found. */
export function checkMessage(bridge: Bridge, pasted: string): Complaint[] {
  const { name, rules, message, messageFormat } = bridge
  const isJsonWanted = rules.form === 'json'
  const refuse = (what: string, cure: string) => [complaint({ verdict: 'refused', what, cure }, pasted, -1)]
  if (pasted.trim() === '') return []
  if (pineCode.test(pasted) && pasted.includes('{{'))
    return refuse(
      'A placeholder inside the script’s message stays as it is.',
      'Use it in the alert’s box only.',
    )
  if (pasted.trim() === scriptMessage && isJsonWanted && messageFormat) return []
  if (/^\s*(?:\{(?!\{)|\[)/.test(pasted) !== isJsonWanted) {
    const form = isJsonWanted ? 'JSON, in braces' : 'one line of text, not JSON'
    const cure = message ? 'Copy the message above.' : `Paste the one that ${name} writes.`
    return refuse(`${name} takes ${form}.`, cure)
  }
  const repaired = isJsonWanted ? repairJson(pasted) : { text: pasted, complaints: [] }
  return [
    ...repaired.complaints,
    ...unknownPlaceholders(pasted),
    ...rules.patterns.flatMap((rule) => applyRule(rule, repaired.text)),
    ...unknownKeys(bridge, repaired.text),
    ...applyRule(realKey, pasted),
  ]
}

const pineCode = /alert_message\s*=|\b(?:strategy\.(?:entry|exit|close|order)|alert)\(/

const realKey: PatternRule = {
  verdict: 'taken',
  has: /https?:\/\/\S+|\beyJ[\w-]{10,}|\b\d{9,}\b|\b[\da-f]{8}-[\da-f]{4}-[\da-f-]{17,}|\b(?=[A-Za-z]*\d)[A-Za-z\d]{24,}/,
  what: 'This looks like a real key.',
  cure: 'It stayed in this page; take it out before you show it to anybody.',
}

function applyRule(rule: PatternRule, text: string): Complaint[] {
  const found = ('has' in rule ? rule.has : rule.lacks).exec(text)
  if ('has' in rule === (found === null)) return []
  const what = rule.what.replace('$&', found?.[0] ?? '')
  return [complaint({ ...rule, what }, text, found?.index ?? -1)]
}

/** `place`: where in the text; -1 for none. */
function complaint({ verdict, what, cure }: Words, text: string, place: number): Complaint {
  const hasPlace = place !== -1 && text.includes('\n')
  return { verdict, what, cure, line: hasPlace ? text.slice(0, place).split('\n').length : undefined }
}

const placeholderNames =
  /^(?:ticker|exchange|open|high|low|close|volume|time|timenow|interval|syminfo\.\w+|plot.*|strategy\.(?:position_size|order\.(?:action|contracts|price|id|comment|alert_message)|(?:prev_)?market_position(?:_size)?))$/
const numbers = /^(?:open|high|low|close|volume|plot.*|.*_size|strategy\.order\.(?:contracts|price))$/

function unknownPlaceholders(text: string): Complaint[] {
  const unknown = [...text.matchAll(/\{\{\s*(.*?)\s*\}\}/g)].filter(
    ([, name = '']) => !placeholderNames.test(name),
  )
  return unknown.map(({ 0: placeholder, index }) => {
    const what = `\`${placeholder}\` is no placeholder of TradingView.`
    return complaint({ verdict: 'refused', what, cure: 'It would arrive as it stands.' }, text, index)
  })
}

interface Repair {
  pattern: RegExp
  /** As for `String.replace`. Line ends stay, so that line numbers stay true. */
  repaired: string
  /** `$2` is what the pattern's second group has found. */
  what: string
  cure: string
}

const repairs: readonly Repair[] = [
  {
    pattern: /[“”„‟«»]/g,
    repaired: '"',
    what: 'Curly quotes.',
    cure: 'Type straight ones: `"`. Chats and documents bend them.',
  },
  {
    pattern: /([{,:]\s*)['‘’]([^'‘’\n]*)['‘’]/g,
    repaired: '$1"$2"',
    what: 'Single quotes.',
    cure: 'JSON takes double ones: `"`.',
  },
  {
    pattern: /([{,]\s*)([A-Za-z_]\w*)(?=\s*:)/g,
    repaired: '$1"$2"',
    what: '`$2` has no quotes.',
    cure: 'Write `"$2"`.',
  },
  { pattern: /,(\s*[}\]])/g, repaired: '$1', what: 'A comma after the last value.', cure: 'Take it away.' },
  {
    pattern: /(["\d\]}])(\s+)(?="[^"\n]*"\s*:)/g,
    repaired: '$1,$2',
    what: 'A comma is missing at the end of the line.',
    cure: 'Every value but the last has one.',
  },
]

/** Names and repairs each mistake, so that the next one is found too. The repaired text is not shown: nobody has read it. */
function repairJson(pasted: string): { text: string; complaints: Complaint[] } {
  const complaints: Complaint[] = []
  const note = (what: string, cure: string, text: string, place: number) =>
    complaints.push(complaint({ verdict: 'refused', what, cure }, text, place))
  let text = pasted.replaceAll(
    /([:,[]\s*)\{\{([\w.]+)\}\}/g,
    (whole, before: string, name: string, place: number) => {
      const end = place + whole.length - 1
      if (name === 'strategy.order.alert_message')
        note(
          `\`{{${name}}}\` is a whole message.`,
          'It stands alone in the box, without quotes and braces.',
          pasted,
          end,
        )
      else if (placeholderNames.test(name) && !numbers.test(name))
        note(`\`{{${name}}}\` becomes text.`, `Write it in quotes: \`"{{${name}}}"\`.`, pasted, end)
      return `${before}0`
    },
  )
  for (const { pattern, repaired, what, cure } of repairs) {
    const [first] = text.matchAll(pattern)
    const fill = (sentence: string) => sentence.replaceAll('$2', first?.[2] ?? '')
    if (first) note(fill(what), fill(cure), text, first.index)
    text = text.replace(pattern, repaired)
  }
  const open = text.split('{').length - text.split('}').length
  if (open > 0) note('A closing brace is missing.', 'Write `}` at the end.', text, text.length)
  if (!parse(text + '}'.repeat(Math.max(0, open))))
    note(
      'This is no JSON that a program can read.',
      'Compare it with the message above, sign by sign.',
      text,
      -1,
    )
  return { text, complaints }
}

/** Returns undefined if the text is not JSON. */
function parse(text: string): object | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function unknownKeys({ name, rules }: Bridge, text: string): Complaint[] {
  const { form, keys, otherKeys = 'taken' } = rules
  if (!keys) return []
  const inLine = () => [...text.matchAll(/([\w-]+)\s*=/g)].map(([, key = '']) => key)
  const given = form === 'json' ? Object.keys(parse(text) ?? {}) : inLine()
  const unknown = given.filter((key) => !keys.includes(key))
  return unknown.map((key) => {
    const what = `\`${key}\` is not a key ${name} takes.`
    const place = text.indexOf(form === 'json' ? `"${key}"` : key)
    return complaint({ verdict: otherKeys, what, cure: 'Take it away.' }, text, place)
  })
}

import type { Content } from '#content/content.ts'
import { splitAtNames } from '#site/text/fill.ts'

/** The names by which texts refer to the script that is given away. */
export const factNames = ['script', 'rule', 'tryOn'] as const

type Facts = Readonly<Record<(typeof factNames)[number], string>>

/** The content with the facts about the script in all texts. Other `{names}` stay. */
export function withFacts(content: Content): Content {
  const { script, rule, tryOn } = content.kit
  const facts: Facts = { script: plain(script.name), rule: plain(rule), tryOn: plain(tryOn) }
  const { kit, ...others } = content
  return { ...filled(others, facts), kit }
}

/** Braces are refused when a page is published, and its preview shows none. */
function plain(fact: string): string {
  return fact.replaceAll(/[{}]/g, '')
}

function filled<Value>(value: Value, facts: Facts): Value {
  const withAll: unknown = JSON.parse(JSON.stringify(value), (_, each: unknown) =>
    typeof each === 'string' ? fillFacts(each, facts) : each,
  )
  return withAll as Value // the same shape, with other texts
}

function fillFacts(text: string, facts: Facts): string {
  return splitAtNames(text)
    .map((piece) => {
      if (typeof piece === 'string') return piece
      return Object.hasOwn(facts, piece.name) ? facts[piece.name as keyof Facts] : `{${piece.name}}`
    })
    .join('')
}

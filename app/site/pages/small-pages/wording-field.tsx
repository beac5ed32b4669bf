import { wordingField } from '#contract/consent-words.ts'
import { placeholder } from '#site/text/placeholders.ts'

/** Says which words a form shows that asks for consent, should others be published meanwhile. */
export function WordingField() {
  return <input type="hidden" name={wordingField} value={placeholder('wording')} />
}

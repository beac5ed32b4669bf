import type { Content } from '#content/content.ts'
import { fieldAt } from '#site/words/description.ts'
import type { StoredSite } from '#owner/acts/owned-database.ts'
import { about, type Condition } from '../condition.ts'

/** Judges the texts that visitors and subscribers read. */
export function judgeTexts(site: StoredSite): Condition[] {
  return [
    ...describeKit(site),
    judgeName(site),
    judgePlaceholders(site),
    judgePage(site),
    judgeLegalPages(site),
  ]
}

/** Ours are as good as the owner's: nothing of this is missing. */
function describeKit({ content, published }: StoredSite): Condition[] {
  const { script, guide } = published?.files ?? {}
  const texts = Object.keys(published?.difference.texts ?? {})
  const hasOwnColour = texts.some((path) => path.startsWith('palette.'))
  return [
    about('script.given').fine(script ? script.name : `Ours: ${content.kit.script.name}.`),
    about('guide.given').fine(guide ? guide.name : 'Ours, made from your texts.'),
    about('colour.chosen').fine(hasOwnColour ? 'Chosen by you.' : 'Ours.'),
  ]
}

const signed = new Set(['brand.creatorName', 'brand.postalAddress'])

function judgeName({ content, settings }: StoredSite): Condition {
  const { fine, warning, error } = about('you.name')
  const { creatorName, postalAddress } = content.brand
  const left = new Set(leftPlaceholders(content).map(({ path }) => path))
  const isNameMissing = left.has('brand.creatorName') || creatorName === ''
  const isAddressMissing = left.has('brand.postalAddress') || postalAddress === ''
  if (!isNameMissing && !isAddressMissing) return fine(`${creatorName}, ${postalAddress}`)
  const missing = [isNameMissing && 'name', isAddressMissing && 'postal address'].filter(Boolean)
  const judge = isForVisitors(settings) ? error : warning
  return judge(
    `Your ${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} missing.`,
    'Enter what is missing, and publish.',
    { place: 'ready/you' },
  )
}

function judgePlaceholders({ content, settings }: StoredSite): Condition {
  const { fine, warning, error } = about('words.placeholders')
  const found = leftPlaceholders(content).filter(({ path }) => !signed.has(path))
  const [first] = found
  if (!first) return fine('No placeholder is left in your texts.')
  const list = inFew(found.map(({ text, path }) => `${text} in ${labelOf(path)}`))
  const judge = isForVisitors(settings) ? error : warning
  return judge(`Placeholders are left: ${list}.`, 'Write your own words there, and publish.', {
    place: `page#${first.path}`,
  })
}

function judgePage({ published }: StoredSite): Condition {
  const { fine, error } = about('content.newest-page')
  const failure = published?.failure
  if (!failure) return fine('Your page is up to date.')
  const why = /[.!?]$/.test(failure.why) ? failure.why : `${failure.why}.`
  return error('Your page could not be updated.', 'Correct it under Page, and publish again.', {
    place: 'page',
    why: `Visitors get it as it was before an update of this program: ${why}`,
  })
}

function judgeLegalPages({ content, settings }: StoredSite): Condition {
  const { fine, warning } = about('content.legal-pages')
  if (content.brand.imprintUrl) return fine('Page and mail link your imprint.')
  const what = `No link is set for ${labelOf('brand.imprintUrl')}.`
  if (!settings.config.production) return fine(what)
  return warning(what, 'Enter it under Page, and publish.', { place: 'page#brand.imprintUrl' })
}

/** Placeholders on a machine of a developer are seen by nobody else. */
function isForVisitors({ config, isHeldBack }: StoredSite['settings']): boolean {
  return config.production || isHeldBack
}

/** The label of the field at the desk. An entry of a list has the label of the list. */
function labelOf(path: string): string {
  const field = fieldAt(path) ?? fieldAt(path.replace(/\.\d.*$/, ''))
  return `“${field?.label ?? path}”`
}

const named = 3

function inFew(names: readonly string[]): string {
  const more = names.length - named
  const shown = more > 0 ? [...names.slice(0, named), `${more} more`] : names
  return new Intl.ListFormat('en-GB').format(shown)
}

interface LeftPlaceholder {
  /** The field's, such as `brand.creatorName`. */
  path: string
  text: string
}

/** Two words or more in square brackets, or one that is a whole text. */
const pattern = /\[\p{Lu}\p{L}*(?:[ '-]\p{L}+)+\]|^\[\p{Lu}\p{L}*\]$/gu

/** `[Creator name]` and the like that the owner has not replaced. */
function leftPlaceholders(content: Content): LeftPlaceholder[] {
  return textsIn(content, '').flatMap(({ path, text }) =>
    (text.match(pattern) ?? []).map((found) => ({ path, text: found })),
  )
}

function textsIn(value: unknown, path: string): LeftPlaceholder[] {
  if (typeof value === 'string') return [{ path, text: value }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, one]) =>
    textsIn(one, path === '' ? name : `${path}.${name}`),
  )
}

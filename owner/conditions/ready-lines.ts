import type { Content } from '#content/content.ts'
import type { Finding as TextFinding } from '#site/words/finding.ts'
import { counted } from '#owner/acts/output.ts'
import type { CheckUp } from './check-up.ts'
import { leftPlaceholders } from './unfinished-texts.ts'

/** `waiting`: for other lines. */
export type LineState = 'done' | 'missing' | 'wrong' | 'look' | 'waiting' | 'running'

export interface ReadyLine {
  state: LineState
  /** The words on the axis, such as `2 left`. */
  tag: string
  /** A sentence about what it has or lacks. */
  words: string
  /** In the sentence that says why the page cannot open yet. Empty: this line holds nothing back. */
  obstacle: string
  /** The path below /desk of what is to be done. Undefined: that of the line. */
  place?: string
}

export function nameLine(content: Content): ReadyLine {
  const { creatorName, postalAddress } = content.brand
  const left = new Set(leftPlaceholders(content).map(({ path }) => path))
  const isNameMissing = left.has('brand.creatorName') || creatorName === ''
  const isAddressMissing = left.has('brand.postalAddress') || postalAddress === ''
  if (!isNameMissing && !isAddressMissing) return done(`${creatorName}, ${postalAddress}`)
  const missing = [
    ...(isNameMissing ? ['your name'] : []),
    ...(isAddressMissing ? ['your postal address'] : []),
  ]
  const names = missing.join(' and ')
  const verb = missing.length === 1 ? 'is' : 'are'
  return {
    state: 'missing',
    tag: 'missing',
    words: `${names.charAt(0).toUpperCase()}${names.slice(1)} ${verb} missing. They sign the page and every mail.`,
    obstacle: `${names} ${verb} missing`,
    place: isNameMissing ? 'page#brand.creatorName' : 'page#brand.postalAddress',
  }
}

interface Words {
  content: Content
  /** Texts that speak of our script or guide, though another is given away. */
  aboutOurs: readonly TextFinding[]
  /** The number of texts that are not the default ones. */
  changed: number
}

export function wordsLine({ content, aboutOurs, changed: count }: Words): ReadyLine {
  const placeholders = leftPlaceholders(content).filter(({ path }) => !isNameOrAddress(path))
  const [first] = placeholders
  if (first) {
    const left = counted(placeholders.length, 'placeholder is', 'placeholders are')
    return {
      state: 'missing',
      tag: `${placeholders.length} left`,
      words: `${left} left in the texts, such as ${first.text}.`,
      obstacle: `${left} left in the texts`,
      place: `page#${first.path}`,
    }
  }
  const changed = `${counted(count, 'text is', 'texts are')} changed.`
  if (aboutOurs.length > 0) return lineAboutOurs(aboutOurs, content, changed)
  return done(count === 0 ? 'They are ours, and speak of the script that you give away.' : changed)
}

function lineAboutOurs(
  aboutOurs: readonly TextFinding[],
  { kit }: Content,
  changed: string,
): ReadyLine {
  const ofScript = aboutOurs.filter(({ about }) => about === 'our script').length
  const ofGuide = aboutOurs.length - ofScript
  const still = (count: number) => counted(count, 'text still speaks', 'texts still speak')
  const sentences = [
    ...(ofScript > 0
      ? [`${still(ofScript)} of the EMA crossover, and your script is ${kit.script.name}.`]
      : []),
    ...(ofGuide > 0
      ? [`${still(ofGuide)} of our setup guide, and your guide is ${kit.guide.name}.`]
      : []),
    changed,
  ]
  const what = ofScript > 0 ? 'another script' : 'another guide'
  return {
    state: 'missing',
    tag: `${aboutOurs.length} left`,
    words: sentences.join(' '),
    obstacle: `${counted(aboutOurs.length, 'text speaks', 'texts speak')} of ${what}`,
    place: 'page/files',
  }
}

function isNameOrAddress(path: string): boolean {
  return path === 'brand.creatorName' || path === 'brand.postalAddress'
}

interface MailFacts {
  /** The URL of the service. */
  host: string | undefined
  hasLocalInbox: boolean
  canSend: boolean
  lastFailure: string | undefined
  isProved: boolean
}

export function mailLine(facts: MailFacts): ReadyLine {
  if (facts.hasLocalInbox) return look('look', 'Mail goes to the local inbox of this machine.')
  const missing = { state: 'missing', tag: 'missing' } as const
  if (!facts.canSend || facts.host === undefined) {
    const words = 'None is set. Without one nobody gets the script.'
    return { ...missing, words, obstacle: 'the mail service is missing' }
  }
  const host = new URL(facts.host).hostname
  if (facts.isProved) return done(`${host} took a test mail.`)
  return {
    ...missing,
    words: facts.lastFailure ?? `${host} is set. Send yourself a test mail.`,
    obstacle: 'no test mail has gone out with the mail service',
  }
}

export function addressLine(isKnown: boolean, publicUrl: string): ReadyLine {
  if (isKnown) return done(`${publicUrl} leads here.`)
  return {
    state: 'missing',
    tag: 'missing',
    words: 'It is not set. Every link in every mail begins with it.',
    obstacle: 'the address on the internet is missing',
  }
}

interface CheckUpFacts {
  /** Mail service and address are there: before, it finds what the other lines say. */
  isDue: boolean
  /** The owner sits at the machine itself, where nobody else comes. */
  isAtMachine: boolean
  /** The owner reads this at the address of the page. */
  isOpenedThere: boolean
}

export function checkUpLine({ state, findings }: CheckUp, facts: CheckUpFacts): ReadyLine {
  if (!facts.isDue) {
    const words = 'It runs once the mail service and the address are set.'
    return { state: 'waiting', tag: '–', words, obstacle: '' }
  }
  if (state === 'never-run') return look('look', 'It has not run yet.')
  if (state === 'running') return { state, tag: state, words: 'It runs.', obstacle: '' }
  const wrong = findings.filter((one) => one.state === 'wrong' && !hasOwnLine(one.id))
  const toLookAt = findings.filter((one) => one.state === 'look')
  const holding = wrong.filter(({ id }) => holdsBack(id, facts))
  if (holding.length > 0) {
    return {
      state: 'wrong',
      tag: `${holding.length} wrong`,
      words: `${counted(holding.length, 'thing is', 'things are')} wrong: ${holding[0]!.what}`,
      obstacle: `the check-up found ${counted(holding.length, 'fault')}`,
    }
  }
  const [first] = [...wrong, ...toLookAt]
  if (!first) return done('Nothing is wrong.')
  const count = wrong.length + toLookAt.length
  return look(
    counted(count, 'look'),
    `Nothing holds the page back. ${counted(count, 'thing is', 'things are')} worth a look: ${first.what}`,
  )
}

function hasOwnLine(id: string): boolean {
  return id === 'content.placeholders' || id === 'content.about-ours'
}

/**
 * The way from the internet cannot be judged from the machine itself, nor by a server that cannot
 * reach its own address.
 */
function holdsBack(id: string, { isAtMachine, isOpenedThere }: CheckUpFacts): boolean {
  if (isAtMachine) return !/^(?:configuration|site|dns)\./.test(id)
  return !(isOpenedThere && id === 'site.answers')
}

function done(words: string): ReadyLine {
  return { state: 'done', tag: 'done', words, obstacle: '' }
}

/** A look never holds the page back. */
function look(tag: string, words: string): ReadyLine {
  return { state: 'look', tag, words, obstacle: '' }
}

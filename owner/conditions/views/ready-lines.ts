import type { DeskPlace } from '#contract/desk-paths.ts'
import type { Condition, TodayState } from '#owner/desk/views/api/trpc.ts'
import { counted } from '#owner/desk/views/format/format.ts'

interface ReadyLine {
  name: string
  /** The view where it is done. */
  place: DeskPlace
  /** The severity, once it is known. */
  severity: Condition['severity'] | undefined
  words: string
  /** On the axis. */
  tag: string
}

/** Lines in the order of the work. `section`: of the ids of the conditions that belong to it. */
const work = [
  { section: 'script', name: 'Your script', path: 'ready/script' },
  { section: 'guide', name: 'Your guide', path: 'ready/guide' },
  { section: 'you', name: 'You', path: 'ready/you' },
  { section: 'words', name: 'Your words', path: 'ready/words' },
  { section: 'colour', name: 'Your colour', path: 'ready/colour' },
  { section: 'mail-service', name: 'Your mail service', path: 'mail-service' },
  { section: 'address', name: 'Your address on the internet', path: 'address' },
] as const

type Known = Pick<TodayState, 'conditions' | 'checkUp'>

/** The lines of Ready: each tells the gravest of its conditions. */
export function readyLines(state: Known | undefined): ReadyLine[] {
  const conditions = state?.conditions ?? []
  const bySection = Object.groupBy(conditions, ({ id }) => id.split('.')[0]!)
  const sections = new Set<string>(work.map(({ section }) => section))
  const others = conditions.filter(({ id }) => !sections.has(id.split('.')[0]!))
  const lines = work.map(({ section, name, path }) => lineOf(bySection[section] ?? [], name, path))
  return [...lines, checkUpLine(others, state)]
}

const tags = {
  blocks: 'missing',
  error: 'error',
  warning: 'warning',
  'not-checked': 'not checked',
  fine: 'done',
} as const

/** `found`: the gravest first. */
function lineOf(found: readonly Condition[], name: string, path: DeskPlace): ReadyLine {
  const [worst] = found
  if (!worst) return { name, place: path, severity: undefined, words: '', tag: '–' }
  const { severity } = worst
  const alike = found.filter((one) => one.severity === severity)
  const words = alike.map(({ what }) => what).join(' ')
  const isToDo = severity !== 'fine' && severity !== 'not-checked'
  return { name, place: (isToDo && worst.place) || path, severity, words, tag: tags[severity] }
}

/** The line for all that the others do not tell. */
function checkUpLine(found: readonly Condition[], state: Known | undefined): ReadyLine {
  const line = { name: 'Check-up', place: 'check-up' } as const
  const [worst] = found
  if (!worst) return { ...line, severity: undefined, words: '', tag: '–' }
  const { severity } = worst
  const alike = found.filter((one) => one.severity === severity).length
  if (state?.checkUp.state === 'running') {
    return { ...line, severity: 'not-checked', words: 'It runs.', tag: 'running' }
  }
  if (severity === 'fine' || severity === 'not-checked') {
    const passed = found.filter((one) => one.severity === 'fine').length
    const left = found.length - passed
    const words = `${passed} passed${left > 0 ? `, ${left} not checked` : ''}.`
    return { ...line, severity: 'fine', words, tag: 'done' }
  }
  const more = alike > 1 ? ` And ${counted(alike - 1, 'more', 'more')}.` : ''
  const tag = counted(alike, severity === 'warning' ? 'warning' : 'error')
  return { ...line, severity, words: `${worst.what}${more}`, tag }
}

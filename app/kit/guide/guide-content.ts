import { kit } from '#content/kit.ts'
import { dayInWords, type KitRelease, whatChanged } from '#content/releases.ts'
import { setupGuide, type GuideStep } from '#content/setup-guide.ts'
import { type Bridge, messageFor } from '../bridges/bridge.ts'
import { bridges } from '../bridges/bridges.ts'
import { ContentFault } from '../content-fault.ts'
import { givenScript } from '../given-files.ts'
import { kitReleases, scriptRelease } from '../kit-files.ts'
import { alertExamples } from '../page-figures.ts'
import { scriptInputs, type ScriptInput } from '../script-inputs.ts'
import { coverPicture, stepPicture, type Picture } from './pictures.ts'

/** The guide for one script, as PDF and HTML are made from it. Sentences keep their `*marks*`. */
export interface GuideContent {
  readonly version: string
  /** YYYY-MM-DD */
  readonly date: string
  /** Undefined with a script of the owner's own, because it shows a run of ours. */
  readonly cover: Picture | undefined
  readonly steps: readonly StepContent[]
  readonly inputs: GuideTable
  /** The newest first. */
  readonly releases: readonly KitRelease[]
  readonly services: readonly ServiceMessage[]
  /** The message that the script sends at entry 2 of its chart. */
  readonly exampleMessage: string
}

export interface StepContent extends Omit<GuideStep, 'picture' | 'facts'> {
  readonly number: number
  readonly picture: Picture | undefined
  readonly table: GuideTable | undefined
}

/** The first cell of a row is its heading. A table of facts has no columns' names. */
export interface GuideTable {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** The alert's message for one bridge. */
export interface ServiceMessage {
  readonly bridge: Bridge
  readonly messageFormat: string
  readonly message: string | undefined
  /** One sentence for each word in the message that the reader replaces; it begins with that word. */
  readonly replacements: readonly string[]
}

export function guideContent(
  script: string = givenScript(),
  releases: readonly KitRelease[] = kitReleases(script),
): GuideContent {
  stepsMustFollowEachOther(setupGuide.steps)
  const { version, date } = scriptRelease(script)
  const inputs = scriptInputs(script)
  const isOurs = !kit.script.isYourOwn
  return {
    version,
    date,
    cover: isOurs ? coverPicture() : undefined,
    steps: setupGuide.steps.map((step, index) => stepContent(step, index + 1, script)),
    inputs: {
      columns: setupGuide.inputs.columns,
      rows: inputs.map((input) => [input.title, input.default, input.tooltip]),
    },
    releases: releases.map(asListed),
    services: isOurs ? bridges.map(serviceMessage).toSorted(byLength) : [],
    exampleMessage: alertExamples.entry.json,
  }
}

function asListed({ version, date, changes }: KitRelease): KitRelease {
  const listed = changes.length > 0 ? changes : [whatChanged.firstVersion]
  return { version, date: dayInWords(date), changes: listed }
}

/** The cover has one line per minute. Two steps at the same minute would share it. */
export function stepsMustFollowEachOther(
  steps: readonly Pick<GuideStep, 'title' | 'minute' | 'untilMinute'>[],
): void {
  let before = 0
  for (const { title, minute, untilMinute } of steps) {
    if (!Number.isInteger(minute) || minute < before || untilMinute <= minute || untilMinute > 10)
      throw new ContentFault(
        `The guide's step "${title}" must begin at minute ${before} or later and end after it, by minute 10: content/setup-guide.ts.`,
      )
    before = untilMinute
  }
}

function serviceMessage(bridge: Bridge): ServiceMessage {
  const { messageFormat = setupGuide.messages.anyFormat, places } = bridge
  const replacements = places.map(({ word, is }) => `\`${word}\` is ${is}.`)
  return { bridge, messageFormat, message: messageFor(bridge), replacements }
}

/** The longest message comes last, so that the others stay together. */
function byLength(a: ServiceMessage, b: ServiceMessage): number {
  const linesOf = ({ message = '' }: ServiceMessage) => message.split('\n').length
  return linesOf(a) - linesOf(b)
}

function stepContent(step: GuideStep, number: number, script: string): StepContent {
  const { picture: name, facts, ...words } = step
  const picture = name && stepPicture(name, script)
  const table = picture?.name === 'crossing' ? linesTable(scriptInputs(script)) : factsTable(facts)
  return { ...words, number, picture, table }
}

function factsTable(facts: GuideStep['facts']): GuideTable | undefined {
  return facts && { columns: [], rows: facts.map(({ name, text }) => [name, text]) }
}

/** The two lines with the default lengths of the script. */
function linesTable(inputs: readonly ScriptInput[]): GuideTable {
  const { columns, fast, slow } = setupGuide.lines
  const length = (line: string) => {
    const input = inputs.find(({ kind, name }) => kind === 'int' && name.toLowerCase().includes(line))
    if (!input) throw new Error(`The script has no length for the ${line} line.`)
    return input.default
  }
  return {
    columns,
    rows: [
      ['fast', length('fast'), fast],
      ['slow', length('slow'), slow],
    ],
  }
}

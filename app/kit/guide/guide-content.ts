import { kit } from '#content/kit.ts'
import { dayInWords, type KitRelease, whatChanged } from '#content/releases.ts'
import { setupGuide, type GuideStep } from '#content/setup-guide.ts'
import { type Bridge, messageFor } from '../bridges/bridge.ts'
import { bridges } from '../bridges/bridges.ts'
import { ContentError } from '../content-error.ts'
import { givenScript } from '../given-files.ts'
import { kitReleases, scriptRelease } from '../kit-files.ts'
import { alertExamples } from '../page-figures.ts'
import { scriptInputs, type ScriptInput } from '../script-inputs.ts'
import { coverPicture, stepPicture } from './pictures.ts'

/** The first cell of a row is its heading. A table of facts has no columns' names. */
export interface GuideTable {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

export type GuideContent = ReturnType<typeof guideContent>
export type StepContent = GuideContent['steps'][number]

/** The guide for one script, as PDF and HTML are made from it. Sentences keep their `*marks*`. */
export function guideContent(
  script: string = givenScript(),
  releases: readonly KitRelease[] = kitReleases(script),
) {
  stepsMustFollowEachOther(setupGuide.steps)
  const inputs = scriptInputs(script)
  // Everything that shows a run of our script is left out if the owner gives away another.
  const isOurs = !kit.script.isYourOwn
  return {
    ...scriptRelease(script),
    cover: isOurs ? coverPicture() : undefined,
    steps: setupGuide.steps.map((step, index) => stepContent(step, index + 1, script, inputs)),
    inputs: {
      columns: setupGuide.inputs.columns,
      rows: inputs.map((input) => [input.title, input.default, input.tooltip]),
    },
    releases: releases.map(asListed),
    services: isOurs ? bridges.map(serviceMessage).toSorted(byLength) : [],
    /** The message that the script sends at entry 2 of its chart. */
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
      throw new ContentError(
        `The guide's step "${title}" must begin at minute ${before} or later and end after it, by minute 10: content/setup-guide.ts.`,
      )
    before = untilMinute
  }
}

/** The alert's message for one bridge, and one sentence for each word in it that the reader replaces. */
function serviceMessage(bridge: Bridge) {
  const { messageFormat = setupGuide.messages.anyFormat, places } = bridge
  const replacements = places.map(({ word, is }) => `\`${word}\` is ${is}.`)
  return { bridge, messageFormat, message: messageFor(bridge), replacements }
}

/** The longest message comes last, so that the others stay together. */
function byLength(a: { message: string | undefined }, b: { message: string | undefined }): number {
  return (a.message ?? '').split('\n').length - (b.message ?? '').split('\n').length
}

function stepContent(step: GuideStep, number: number, script: string, inputs: readonly ScriptInput[]) {
  const { picture: name, facts, ...words } = step
  const picture = name && stepPicture(name, script)
  return {
    ...words,
    number,
    picture,
    table: picture?.name === 'crossing' ? linesTable(inputs) : factsTable(facts),
  }
}

function factsTable(facts: GuideStep['facts']): GuideTable | undefined {
  return facts && { columns: [], rows: facts.map(({ name, text }) => [name, text]) }
}

/** The two lines with the default lengths of the script. */
function linesTable(inputs: readonly ScriptInput[]): GuideTable {
  const row = (line: 'fast' | 'slow') => {
    const input = inputs.find(({ kind, name }) => kind === 'int' && name.toLowerCase().includes(line))
    if (!input) throw new Error(`The script has no length for the ${line} line.`)
    return [line, input.default, setupGuide.lines[line]]
  }
  return { columns: setupGuide.lines.columns, rows: [row('fast'), row('slow')] }
}

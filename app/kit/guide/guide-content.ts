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
    newest: releases.slice(0, 1).map(asListed),
    services: isOurs ? bridges.map(serviceMessage) : [],
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

/** What the guide says of one bridge. Its page has the rest. */
function serviceMessage(bridge: Bridge) {
  const { format, anyFormat, arrives, onlyATrialTells, onYourPage, source } = setupGuide.messages
  const { name, messageFormat = anyFormat, messageIfEmpty, ownMessage, places, caution, unchecked } = bridge
  const message = messageFor(bridge) ?? ''
  const isLong = message.split('\n').length > 10
  return {
    name,
    format: `${format} *${messageFormat}*`,
    message: isLong ? '' : message,
    /** What the script sends at entry 2 of its chart. */
    example: messageIfEmpty ? { words: arrives, message: alertExamples.entry.json } : undefined,
    notes: [
      ...(isLong ? [onYourPage] : []),
      ...(ownMessage ? [ownMessage] : []),
      ...places.map(({ word, is }) => `\`${word}\` is ${is}.`),
      ...(caution ? [caution] : []),
      `*${onlyATrialTells}* ${unchecked}`,
    ],
    link: { text: bridge.sourceTitle ?? `${source} ${name}`, url: bridge.source },
  }
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

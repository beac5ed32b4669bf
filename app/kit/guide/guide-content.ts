import { kit } from '#content/kit.ts'
import { dayInWords, type KitRelease, whatChanged } from '#content/releases.ts'
import { setupGuide, type GuideStep } from '#content/setup-guide.ts'
import { type Bridge, messageFor } from '../bridges/bridge.ts'
import { bridges } from '../bridges/bridges.ts'
import { givenScript } from '../given-files.ts'
import { kitReleases, scriptRelease } from '../kit-files.ts'
import { alertExamples } from '../page-figures.ts'
import { scriptInputs } from '../script-inputs.ts'
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
  const inputs = scriptInputs(script)
  // Everything that shows a run of our script is left out if the owner gives away another.
  const isOurs = !kit.script.isYourOwn
  return {
    ...scriptRelease(script),
    cover: isOurs ? coverPicture() : undefined,
    steps: setupGuide.steps.map((step, index) => stepContent(step, index + 1, script)),
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

function stepContent(step: GuideStep, number: number, script: string) {
  const { picture: name, facts, ...words } = step
  const picture = name && stepPicture(name, script)
  return {
    ...words,
    number,
    picture,
    table: facts && { columns: [], rows: facts.map(({ name, text }) => [name, text]) },
  }
}

import { kit } from '#content/kit.ts'
import { dayInWords, whatChanged } from '#content/releases.ts'
import { setupGuide, type GuideStep } from '#content/setup-guide.ts'
import { givenScript } from '../given-files.ts'
import { kitReleases, scriptRelease } from '../kit-files.ts'
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
export function guideContent(script: string = givenScript()) {
  return {
    ...scriptRelease(script),
    // What shows a run of our script is left out if the owner gives away another.
    cover: kit.script.isYourOwn ? undefined : coverPicture(),
    steps: setupGuide.steps.map((step, index) => stepContent(step, index + 1, script)),
    inputs: {
      ...setupGuide.inputs,
      rows: scriptInputs(script).map((input) => [input.title, input.default, input.tooltip]),
    },
    releases: kitReleases(script).map(({ version, date, changes }) => {
      return {
        version,
        date: dayInWords(date),
        changes: changes.length > 0 ? changes : [whatChanged.firstVersion],
      }
    }),
  }
}

function stepContent(step: GuideStep, number: number, script: string) {
  const { picture: name, facts, ...words } = step
  const picture = name && stepPicture(name, script)
  return {
    ...words,
    number,
    picture,
    table: facts && { columns: [], rows: facts.map((fact) => [fact.name, fact.text]) },
  }
}

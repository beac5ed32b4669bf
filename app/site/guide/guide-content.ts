import type { Content } from '#content/content.ts'
import type { SiteContent } from '#site/site-content.ts'
import type { GuideStep } from '#content/setup-guide.ts'
import { dayInWords } from '#site/text/day-in-words.ts'
import { fill } from '#site/text/fill.ts'
import { scriptRelease } from '../kit/kit-files.ts'
import { scriptInputs } from '../kit/script-inputs.ts'
import { coverPicture, type Picture, stepPicture } from './pictures.ts'

/** The first cell of a row is its heading. A table of facts has no columns' names. */
export interface GuideTable {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

export interface StepContent extends Omit<GuideStep, 'picture' | 'facts'> {
  readonly number: number
  readonly picture: Picture | undefined
  readonly table: GuideTable | undefined
}

/** The guide for one script. Its sentences keep their `*marks*`. */
export interface GuideContent {
  /** The words of content/setup-guide.ts, with their names filled in. */
  readonly words: Content['setupGuide']
  /** The script's version. */
  readonly version: string
  readonly date: string
  readonly cover: Picture | undefined
  readonly steps: readonly StepContent[]
  readonly inputs: GuideTable & {
    readonly id: string
    readonly title: string
    readonly intro: string
  }
  readonly releases: readonly { version: string; date: string; changes: readonly string[] }[]
}

/** PDF and HTML are made from it. */
export function guideContent(content: SiteContent, script: string): GuideContent {
  const { fileNames, ourRun } = content
  const words = fillAll(content.setupGuide, {
    copyScript: content.personalPage.script.copy,
    bridges: content.personalPage.bridges.heading,
    scriptName: fileNames.script,
    oldScript: content.whatChanged.oldScript,
  })
  return {
    words,
    ...scriptRelease(script),
    cover: ourRun && coverPicture(words, ourRun),
    steps: words.steps.map((step, index) => stepContent(step, index + 1, content, script)),
    inputs: {
      ...words.inputs,
      rows: scriptInputs(script).map((input) => [input.title, input.default, input.tooltip]),
    },
    releases: content.releases.map(({ version, date, changes }) => {
      return {
        version,
        date: dayInWords(date, content.brand.language),
        changes: changes.length > 0 ? changes : [content.whatChanged.firstVersion],
      }
    }),
  }
}

/** Fills the names in all texts of a value. */
function fillAll<Value>(value: Value, names: Readonly<Record<string, string>>): Value {
  const filled: unknown = JSON.parse(JSON.stringify(value), (_, each: unknown) =>
    typeof each === 'string' ? fill(each, names) : each,
  )
  return filled as Value // the same shape, with other texts
}

function stepContent(
  step: GuideStep,
  number: number,
  content: SiteContent,
  script: string,
): StepContent {
  const { picture: name, facts, ...words } = step
  return {
    ...words,
    number,
    picture: name && stepPicture(name, content, script),
    table: facts && { columns: [], rows: facts.map((fact) => [fact.name, fact.text]) },
  }
}

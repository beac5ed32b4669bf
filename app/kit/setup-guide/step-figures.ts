import { kit } from '#content/kit.ts'
import { setupGuide, type GuideStep, type ScreenPicture } from '#content/setup-guide.ts'
import { scriptInputs, titleOnChart, type ScriptInput } from '../script-inputs.ts'
import { alertScreen, webhookScreen } from './alert-screens.ts'
import { crossingChart } from './crossing-chart.ts'
import type { Drawing } from './drawing.ts'
import { editorScreen, scriptScreen } from './editor-screens.ts'
import { reportScreen, settingsScreen } from './strategy-screens.ts'

/** The picture of a step; script and settings show the file itself. Undefined: there is none, or it is of our script's run. */
export function stepPicture({ picture }: GuideStep, script: string): Drawing | undefined {
  if (picture === undefined || (kit.script.isYourOwn && ofOurRun.has(picture))) return undefined
  switch (picture) {
    case 'editor':
      return editorScreen()
    case 'script':
      return scriptScreen(script, kit.script.name)
    case 'crossing':
      return crossingChart(setupGuide.crossingDrawing)
    case 'settings':
      return settingsScreen(scriptInputs(script), titleOnChart(script))
    case 'report':
      return reportScreen()
    case 'alert':
      return alertScreen(titleOnChart(script))
    case 'webhook':
      return webhookScreen()
    default:
      return picture satisfies never
  }
}

const ofOurRun: ReadonlySet<ScreenPicture> = new Set(['crossing', 'report'])

/** Default lengths of the two averages, as the script has them. */
export function defaultLengths(script: string): { fast: string; slow: string } {
  const lengths = scriptInputs(script).filter(({ kind }) => kind === 'int')
  return { fast: lengthOf(lengths, 'fast'), slow: lengthOf(lengths, 'slow') }
}

function lengthOf(inputs: readonly ScriptInput[], line: string): string {
  const input = inputs.find(({ name, title }) => `${name} ${title}`.toLowerCase().includes(line))
  if (!input) throw new Error(`The script has no length for the ${line} line.`)
  return input.default
}

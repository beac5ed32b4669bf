import type { Content } from '#content/content.ts'
import { type DescriptionOf, lines, list, text, type TextDescription } from './describe.ts'

const inGuide = { drawn: ['guide'] } as const
const step = 'In the step.'

const pictures: TextDescription = {
  kind: 'choice',
  label: 'Picture',
  where: 'Below the instructions.',
  optional: true,
  choices: {
    editor: 'the editor beside a chart',
    script: 'the first lines of the script',
    crossing: 'the chart, only with our script',
    settings: 'the inputs of the script',
    report: 'the list of trades, only with our script',
    alert: 'the alert dialog',
    webhook: 'the notifications of an alert',
  },
}

const minutes: TextDescription = {
  kind: 'number',
  label: 'Begins at minute',
  where: 'On the axis. Empty after the ten minutes.',
  optional: true,
  from: 0,
  to: 10,
}

const steps: DescriptionOf<Content['setupGuide']['steps']> = list(
  'Steps',
  'A page of the guide each.',
  { min: 1, max: 16 },
  {
    id: 'aside',
    title: text('Title', step, 40, inGuide),
    minute: minutes,
    untilMinute: { ...minutes, label: 'Ends at minute' },
    intro: lines('Opening', step, 300, inGuide),
    actions: list(
      'Instructions',
      'Lettered a, b, c …',
      { min: 1, max: 8 },
      lines('Instruction', step, 300, inGuide),
    ),
    picture: pictures,
    caption: lines('Under the picture', step, 140, { ...inGuide, optional: true }),
    youShouldSee: lines('You should see now', step, 240, inGuide),
    help: lines('Nothing there?', step, 400, inGuide),
    facts: list(
      'Facts',
      'The small table of the step.',
      { min: 0, max: 5 },
      { name: text('Name', step, 30, inGuide), text: lines('Text', step, 240, inGuide) },
    ),
    link: {
      text: text('Words of the link', 'Under the step.', 60, { ...inGuide, optional: true }),
      url: { kind: 'link', label: 'Link', where: 'Under the step.', room: 500, optional: true },
    },
  },
)

const paper: DescriptionOf<Content['setupGuide']['paper']> = {
  id: 'aside',
  title: text('Title', 'The page after the steps.', 40, inGuide),
  intro: lines('Opening', 'The page after the steps.', 300, inGuide),
  rules: list(
    'Rules',
    'The page after the steps.',
    { min: 1, max: 8 },
    lines('Rule', 'The page after the steps.', 480, inGuide),
  ),
  limitsTitle: text('Title of the limits', 'Below the rules.', 60, inGuide),
  limits: list(
    'Limits',
    'Below the rules.',
    { min: 1, max: 8 },
    lines('Limit', 'Below the rules.', 320, inGuide),
  ),
}

export const setupGuide: DescriptionOf<Content['setupGuide']> = {
  title: text('Title', 'Cover, head of each page, name of the PDF.', 40, inGuide),
  subtitle: lines('Subtitle', 'On the cover.', 140, inGuide),
  coverCaption: text('Caption of the cover', 'Below the two lines.', 60),
  coverDrawing: lines('Drawing of the cover in words', 'For whoever does not see it.', 200, {
    ...inGuide,
    hidden: true,
  }),
  edition: text('Edition', 'On the cover, after the version and its date.', 80, inGuide),
  done: text('Done', 'On the cover, after the last step with minutes.', 12, inGuide),
  youShouldSee: text('You should see now', 'Near the end of every step.', 40, inGuide),
  nothingThere: text('Nothing there?', 'At the end of every step.', 40, inGuide),
  falseSignal: [
    text('False signal, first line', 'In the chart.', 30, {
      drawn: ['guide', 'sharePicture'],
    }),
    text('False signal, second line', 'In the chart.', 30, {
      drawn: ['guide', 'sharePicture'],
    }),
  ],
  crossingDrawing: text('The chart in words', 'For whoever does not see it.', 120, {
    ...inGuide,
    hidden: true,
  }),
  steps,
  paper,
  inputs: {
    id: 'aside',
    title: text('Title', 'The page with the settings of the script.', 40, inGuide),
    intro: lines('Opening', 'The page with the settings of the script.', 240, inGuide),
    columns: [
      text('First column', 'Above the settings.', 24, inGuide),
      text('Second column', 'Above the settings.', 24, inGuide),
      text('Third column', 'Above the settings.', 24, inGuide),
    ],
  },
  versions: {
    id: 'aside',
    title: text('Title', 'The page with the versions.', 40, inGuide),
    intro: lines('Opening', 'The page with the versions.', 300, inGuide),
  },
  risk: {
    id: 'aside',
    title: text('Title', 'The last page.', 40, inGuide),
    trademarks: lines('Sample data and trademarks', 'The last page.', 400, inGuide),
  },
}

const changed = 'In "What changed" and at the end of the guide.'

export const releases: DescriptionOf<Content['releases']> = list(
  'Versions',
  changed,
  { min: 0, max: 100 },
  {
    version: text('Version', changed, 20, inGuide),
    date: text('Day', 'As 2026-11-30.', 10),
    changes: list(
      'What changed',
      changed,
      { min: 0, max: 12 },
      lines('Change', changed, 400, inGuide),
    ),
  },
)

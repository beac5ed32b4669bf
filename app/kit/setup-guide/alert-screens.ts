import { line, mono, words, type Drawing, type Shape } from './drawing.ts'
import { dialog, field, letterMark, pressButton, quietButton, screenWidth, tickBox } from './screen-parts.ts'

const width = 316
const fields = 96
const fieldWidth = width - fields - 14
const tabs = [{ name: 'Settings' }, { name: 'Message' }, { name: 'Notifications' }]

/** The dialog "Create alert" with the three things to set. */
export function alertScreen(title: string): Drawing {
  const height = 192
  return {
    width: screenWidth,
    height,
    description: `The dialog for a new alert. Condition: ${title}, below it Order fills only. Message: {{strategy.order.alert_message}}. Expiration: as late as possible. Button: Create.`,
    shapes: [
      ...dialog(0, 0, width, height, 'Create alert', tabs, 'Settings'),
      words(14, 68, 'Condition'),
      ...field(fields, 56, fieldWidth, title, { choice: true }),
      ...field(fields, 78, fieldWidth, 'Order fills only', { choice: true }),
      ...beside('b', 71, 'both fields'),
      words(14, 114, 'Message'),
      ...field(fields, 102, fieldWidth, '{{strategy.order.alert_message}}'),
      ...beside('c', 105, 'filled in already'),
      words(14, 138, 'Expiration'),
      ...field(fields, 126, fieldWidth, 'as late as possible', { choice: true }),
      ...beside('d', 129, 'note the date'),
      line([
        [0, 158],
        [width, 158],
      ]),
      ...quietButton(width - 130, 166, 54, 'Cancel'),
      ...pressButton(width - 68, 166, 54, 'Create'),
    ],
  }
}

/** The notifications of an alert, webhook ticked. */
export function webhookScreen(): Drawing {
  const height = 172
  return {
    width: screenWidth,
    height,
    description:
      'The notifications of an alert. Webhook URL is ticked and holds an address that begins with https. The other boxes are left as they are.',
    shapes: [
      ...dialog(0, 0, width, height, 'Edit alert', tabs, 'Notifications'),
      ...beside('a', 31),
      ...tickBox(14, 58, false, 'Notify in app'),
      ...tickBox(14, 75, false, 'Send email'),
      ...tickBox(14, 92, true, 'Webhook URL'),
      ...field(31, 108, width - 45, 'https://bridge.example/hook/YOUR-CODE'),
      ...beside('b', 111, 'port 80 or 443'),
      line([
        [0, 138],
        [width, 138],
      ]),
      ...quietButton(width - 130, 146, 54, 'Cancel'),
      ...pressButton(width - 68, 146, 54, 'Save'),
      ...beside('c', 149),
    ],
  }
}

function beside(letter: string, y: number, note = ''): Shape[] {
  const mark = letterMark(width + 12, y, letter)
  return note === '' ? mark : [...mark, mono(width + 31, y + 9, note, { ink: 'ink2', size: 7.5 })]
}

import { box, line, mono, words, type Shape } from './drawing.ts'

/** Drawn screens are as wide as a sentence, in points. */
export const screenWidth = 430

/** Ties a part of a drawn screen to the lettered action above it. */
export function letterMark(x: number, y: number, letter: string): Shape[] {
  return [box(x, y, 12, 12, { fill: 'ink' }), mono(x + 6, y + 9, letter, { ink: 'paper', align: 'centre' })]
}

/** What has to be pressed: the button of the landing page, base in `fast`. */
export function pressButton(x: number, y: number, width: number, label: string): Shape[] {
  return [
    box(x, y, width, 18, { fill: 'ink' }),
    box(x, y + 16, width, 2.5, { fill: 'fast' }),
    words(x + width / 2, y + 12, label, { face: 'strong', ink: 'paper', size: 8.5, align: 'centre' }),
  ]
}

export function quietButton(x: number, y: number, width: number, label: string): Shape[] {
  return [
    box(x, y, width, 18, { stroke: 'ink2', weight: 0.75 }),
    words(x + width / 2, y + 12, label, { size: 8.5, ink: 'ink2', align: 'centre' }),
  ]
}

/** A field with what stands in it; `choice` draws the mark of a list. */
export function field(
  x: number,
  y: number,
  width: number,
  value: string,
  look: { readonly choice?: boolean; readonly height?: number; readonly size?: number } = {},
): Shape[] {
  const height = look.height ?? 18
  const arrow = x + width - 12
  const middle = y + height / 2
  return [
    box(x, y, width, height, { fill: 'paper', stroke: 'ink', weight: 0.75 }),
    mono(x + 7, y + Math.min(height, 18) / 2 + 3, value, { size: look.size ?? 8 }),
    ...(look.choice
      ? [
          line(
            [
              [arrow, middle - 1.5],
              [arrow + 3, middle + 1.5],
              [arrow + 6, middle - 1.5],
            ],
            'ink2',
            0.9,
          ),
        ]
      : []),
  ]
}

/** A box to tick, ticked or not, with its words. */
export function tickBox(x: number, y: number, ticked: boolean, label: string): Shape[] {
  return [
    box(x, y, 10, 10, { stroke: 'ink', weight: 0.9 }),
    ...(ticked
      ? [
          line(
            [
              [x + 2.2, y + 5.2],
              [x + 4.3, y + 7.4],
              [x + 8, y + 2.8],
            ],
            'ink',
            1.2,
          ),
        ]
      : []),
    words(x + 17, y + 8.3, label),
  ]
}

/** About how wide the text face sets a text; drawings know no fonts, and need it only to leave room. */
function roughWidth(text: string, size: number): number {
  let width = 0
  for (const letter of text) {
    if (/[fijlt .,'I]/.test(letter)) width += 0.33
    else if (/[mwMW]/.test(letter)) width += 0.9
    else width += /[A-Z]/.test(letter) ? 0.74 : 0.57
  }
  return width * size
}

/** Ties a tab of a dialog to a lettered action. */
export interface DialogTab {
  readonly name: string
  readonly letter?: string
}

/** A window with its title and tabs; the tab named by `open` is underlined. */
export function dialog(
  x: number,
  y: number,
  width: number,
  height: number,
  title: string,
  tabs: readonly DialogTab[],
  open: string,
): Shape[] {
  const shapes: Shape[] = [
    box(x, y, width, height, { fill: 'paper', stroke: 'ink', weight: 0.9 }),
    words(x + 14, y + 20, title, { face: 'medium', size: 11 }),
    line(
      [
        [x + width - 21, y + 12],
        [x + width - 14, y + 19],
      ],
      'ink2',
      0.9,
    ),
    line(
      [
        [x + width - 14, y + 12],
        [x + width - 21, y + 19],
      ],
      'ink2',
      0.9,
    ),
  ]
  let left = x + 14
  for (const { name, letter } of tabs) {
    const isOpen = name === open
    const tabWidth = roughWidth(name, isOpen ? 9.8 : 9)
    shapes.push(words(left, y + 40, name, { face: isOpen ? 'strong' : 'text', ink: isOpen ? 'ink' : 'ink2' }))
    if (isOpen)
      shapes.push(
        line(
          [
            [left, y + 46],
            [left + tabWidth, y + 46],
          ],
          'ink',
          1.5,
        ),
      )
    if (letter) shapes.push(...letterMark(left + tabWidth + 5, y + 31, letter))
    left += tabWidth + (letter ? 36 : 20)
  }
  shapes.push(
    line([
      [x, y + 46.5],
      [x + width, y + 46.5],
    ]),
  )
  return shapes
}

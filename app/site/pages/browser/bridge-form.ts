import {
  type Bridge,
  cleanSize,
  cleanSymbol,
  type ExitsSwitch,
  messageFor,
  splitAtPlaces,
  takes,
} from '#site/kit/bridges/bridge.ts'
import { bridges } from '#site/kit/bridges/bridges.ts'
import { boxInWords } from '#site/kit/alert/order.ts'
import type { Chosen } from '#site/kit/alert/differences.ts'
import type { PersonalPageWords } from '../small-pages/personal-page/personal-page.tsx'
import { copyOnPress, forgetCopy } from './copy-text.ts'
import { element, elementOf, make } from './page-elements.ts'

type BridgeWords = NonNullable<PersonalPageWords['bridges']>

/**
 * Writes symbol, size, direction, and the switch "Stop and target" into the message and the
 * settings of the chosen bridge. Nothing leaves the page.
 */
export function startBridgeForm(text: BridgeWords & { copiedName: string }): void {
  const form = element('bridges')
  for (const code of form.querySelectorAll<HTMLElement>('[id^=message-]')) {
    copyOnPress(code.id.replace('message', 'copy'), code, text)
  }
  form.addEventListener('input', () => update(text))
  update(text)
}

/** Returns undefined with a script of the owner's own: there is nothing to choose. */
export function chosenOnPage(): Chosen | undefined {
  const chosen = checked('bridge')
  const bridge = bridges.find(({ id }) => id === chosen)
  return bridge && { bridge, exits: bridge.withExits && checked('exits') === 'on' ? 'on' : 'off' }
}

function update(text: BridgeWords): void {
  const chosen = chosenOnPage()
  if (!chosen) return
  const { bridge, exits } = chosen
  showVariant(exits)
  showField('symbol', bridge, exits, text.symbolIfEmpty)
  showField('size', bridge, exits, bridge.size?.ifEmpty ?? '')
  const direction = checked('direction')
  const isBothWays = direction === text.directions.longAndShort
  if (bridge.message) writeMessage(chosen, { isBothWays, sizeIsWrong: text.sizeIsWrong })
  for (const place of document.querySelectorAll('[data-direction]')) place.textContent = direction
  for (const hint of document.querySelectorAll<HTMLElement>('.long-and-short')) {
    hint.hidden = !isBothWays
  }
}

function checked(name: string): string {
  return document.querySelector<HTMLInputElement>(`input[name=${name}]:checked`)?.value ?? ''
}

/** The style sheet does the same, but only in a browser that has :has(). */
function showVariant(exits: ExitsSwitch): void {
  for (const part of document.querySelectorAll<HTMLElement>('[data-exits]')) {
    part.hidden = part.dataset['exits'] !== exits
  }
}

/** Hides the field if the message has no place for it. */
function showField(id: 'symbol' | 'size', bridge: Bridge, exits: ExitsSwitch, hint: string): void {
  const field = bridge[id]
  element(`${id}-field`).hidden = !takes(bridge, id, exits)
  element(`${id}-label`).textContent = field?.label ?? ''
  element(`${id}-hint`).textContent = hint
  elementOf(id, HTMLInputElement).placeholder = field?.example ?? ''
}

function writeMessage(
  { bridge, exits }: Chosen,
  { isBothWays, sizeIsWrong }: { isBothWays: boolean; sizeIsWrong: string },
): void {
  const sizeField = elementOf('size', HTMLInputElement)
  const typed = takes(bridge, 'size', exits) ? sizeField.value : ''
  const size = cleanSize(typed)
  if (size === undefined) {
    element('size-hint').textContent = sizeIsWrong
    sizeField.setAttribute('aria-invalid', 'true')
  } else {
    sizeField.removeAttribute('aria-invalid')
  }
  const symbol = takes(bridge, 'symbol', exits)
    ? cleanSymbol(elementOf('symbol', HTMLInputElement).value)
    : ''
  const filledIn = { symbol, size: size ?? '', exits }
  const message = messageFor(bridge, filledIn) ?? ''
  element(`does-${bridge.id}-${exits}`).textContent = boxInWords(bridge, filledIn, isBothWays) ?? ''
  const shown = element(`message-${bridge.id}-${exits}`)
  if (shown.textContent !== message) {
    shown.replaceChildren(
      ...splitAtPlaces(message).map((piece, index) => (index % 2 === 0 ? piece : make('b', piece))),
    )
    forgetCopy(`copy-${bridge.id}-${exits}`)
  }
  for (const { word } of bridge.places) {
    const place = document.querySelector<HTMLElement>(
      `[data-bridge='${bridge.id}'] [data-place=${word}]`,
    )
    if (place) place.hidden = !message.includes(word)
  }
}

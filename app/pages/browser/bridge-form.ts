import {
  type Bridge,
  cleanSize,
  cleanSymbol,
  messageFor,
  splitAtPlaces,
} from '#kit/bridges/bridge.ts'
import { bridges } from '#kit/bridges/bridges.ts'
import type { PersonalPageWords } from '../small-pages/personal-page/personal-page.tsx'
import { copyOnPress, forgetCopy } from './copy-text.ts'
import { element, elementOf, make } from './page-elements.ts'

type BridgeWords = PersonalPageWords['bridges']

/**
 * Writes symbol, size and direction into the message and the settings of the chosen bridge. Nothing
 * leaves the page.
 */
export function startBridgeForm({ script, bridges: text }: PersonalPageWords): void {
  const form = element('bridges')
  const words = { ...text, copiedName: script.copiedName }
  for (const { id, message } of bridges) {
    if (message) copyOnPress(`copy-${id}`, element(`message-${id}`), words)
  }
  form.addEventListener('input', () => update(text))
  update(text)
}

function update(text: BridgeWords): void {
  const chosen = checked('bridge')
  const bridge = bridges.find(({ id }) => id === chosen)
  if (!bridge) return
  showField('symbol', bridge.symbol, text.symbolIfEmpty)
  showField('size', bridge.size, bridge.size?.ifEmpty ?? '')
  writeMessage(bridge, text.sizeIsWrong)
  const direction = checked('direction')
  for (const place of document.querySelectorAll('[data-direction]')) place.textContent = direction
  for (const hint of document.querySelectorAll<HTMLElement>('.long-and-short')) {
    hint.hidden = direction !== text.directions.longAndShort
  }
}

function checked(name: string): string {
  return document.querySelector<HTMLInputElement>(`input[name=${name}]:checked`)?.value ?? ''
}

/** Hides the field if the bridge has none. */
function showField(id: 'symbol' | 'size', field: Bridge['symbol'], hint: string): void {
  element(`${id}-field`).hidden = !field
  element(`${id}-label`).textContent = field?.label ?? ''
  element(`${id}-hint`).textContent = hint
  elementOf(id, HTMLInputElement).placeholder = field?.example ?? ''
}

function writeMessage(bridge: Bridge, sizeIsWrong: string): void {
  const sizeField = elementOf('size', HTMLInputElement)
  const size = cleanSize(sizeField.value)
  if (size === undefined) element('size-hint').textContent = sizeIsWrong
  sizeField.ariaInvalid = size === undefined ? 'true' : null
  const symbol = cleanSymbol(elementOf('symbol', HTMLInputElement).value)
  const filledIn = { symbol: bridge.symbol ? symbol : '', size: (bridge.size && size) ?? '' }
  const message = messageFor(bridge, filledIn)
  if (message === undefined) return
  const shown = element(`message-${bridge.id}`)
  if (shown.textContent === message) return
  shown.replaceChildren(
    ...splitAtPlaces(message).map((piece, index) => (index % 2 === 0 ? piece : make('b', piece))),
  )
  forgetCopy(`copy-${bridge.id}`)
  for (const { word } of bridge.places) {
    const place = document.querySelector<HTMLElement>(
      `[data-bridge='${bridge.id}'] [data-place=${word}]`,
    )
    if (place) place.hidden = !message.includes(word)
  }
}

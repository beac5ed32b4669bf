import type { Arrival } from '#contract/test-address.ts'
import { readingAsText } from '#site/kit/alert/read-alert.ts'
import type { AlertWords } from '../../small-pages/personal-page/alert/alert-words.ts'
import { elementOf } from '../page-elements.ts'
import type { ReadMessage } from './read-pasted.ts'

/** Makes a row of the list from the page's template for one. */
export function arrivalRow(arrival: Arrival, read: ReadMessage, words: AlertWords): HTMLElement {
  const { content } = elementOf('arrival', HTMLTemplateElement)
  const row = content.firstElementChild!.cloneNode(true) as HTMLElement // the template's <li>
  partOf(row, 'contentType').textContent = arrival.contentType
  partOf(row, 'sender').textContent = arrival.fromTradingView
    ? words.fromTradingView
    : words.fromElsewhere
  partOf(row, 'message').textContent = arrival.message
  const time = row.querySelector('time')!
  time.dateTime = arrival.at
  time.textContent = inWords(arrival.at, 'medium')
  writeVerdict(row, read, words)
  return row
}

/** Writes the verdict for what is chosen on the page now. */
export function writeVerdict(
  row: HTMLElement,
  read: ReadMessage,
  { nothingWrong }: AlertWords,
): void {
  const message = partOf(row, 'message').textContent
  partOf(row, 'verdict').textContent = readingAsText(read(message), nothingWrong)
}

/** A time in the visitor's own zone and language; `medium` has seconds. */
export function inWords(iso: string, timeStyle: 'short' | 'medium'): string {
  const at = new Date(iso)
  const isToday = at.toDateString() === new Date().toDateString()
  return isToday
    ? at.toLocaleTimeString(undefined, { timeStyle })
    : at.toLocaleString(undefined, { dateStyle: 'medium', timeStyle })
}

type Part = 'contentType' | 'sender' | 'message' | 'verdict'

function partOf(row: HTMLElement, name: Part): HTMLElement {
  return row.querySelector<HTMLElement>(`[data-value=${name}]`)! // of the same component
}

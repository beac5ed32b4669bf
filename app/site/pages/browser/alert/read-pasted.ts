import { maxAlertBytes } from '#contract/test-address.ts'
import { type KnownMessage, namedMessages, ourMessages } from '#site/kit/alert/known-messages.ts'
import { type AlertReading, readAlert } from '#site/kit/alert/read-alert.ts'
import type { AlertWords } from '../../small-pages/personal-page/alert/alert-words.ts'
import { chosenOnPage } from '../bridge-form.ts'
import { element, elementOf, make } from '../page-elements.ts'

/** Reads messages with what is chosen on the page. */
export type ReadMessage = (message: string) => AlertReading

/** The messages travel with the page if the script is the owner's. */
export function reader({ messages }: AlertWords): ReadMessage {
  const known: readonly KnownMessage[] = messages ? namedMessages(messages) : ourMessages()
  return (message) => readAlert(message, known, chosenOnPage())
}

/** Reads what is pasted, at each key. Nothing leaves the tab. */
export function readPasted(read: ReadMessage, { nothingWrong }: AlertWords): void {
  const field = elementOf('alert-message', HTMLTextAreaElement)
  let shown = ''
  function update(): void {
    const message = field.value
    const reading = message.trim() === '' ? undefined : readOne(message, read)
    const text = JSON.stringify(reading)
    if (text === shown) return // a screen reader would say it again
    shown = text
    element('alert-verdict').replaceChildren(...(reading ? verdict(reading, nothingWrong) : []))
  }
  field.addEventListener('input', update)
  document.getElementById('bridges')?.addEventListener('input', update)
}

function readOne(message: string, read: ReadMessage): AlertReading {
  if (message.length <= maxAlertBytes) return read(message)
  const limit = maxAlertBytes.toLocaleString('en')
  const fault = `This is longer than ${limit} characters. Paste one message alone.`
  return { does: undefined, order: undefined, faults: [fault] }
}

function verdict({ does, faults }: AlertReading, nothingWrong: string): HTMLElement[] {
  const first = does === undefined ? [] : [make('p', does)]
  if (faults.length === 0) return [...first, make('p', nothingWrong)]
  const list = make('ul', ...faults.map((fault) => make('li', fault)))
  list.className = 'ruled'
  return [...first, list]
}

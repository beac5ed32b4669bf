import type { TestAddressState } from '#contract/test-address.ts'
import { fill } from '#site/text/fill.ts'
import type { AlertWords } from '../../small-pages/personal-page/alert/alert-words.ts'
import { copyOnPress, forgetCopy } from '../copy-text.ts'
import { element, make } from '../page-elements.ts'
import { arrivalRow, inWords, writeVerdict } from './arrival-row.ts'
import type { ReadMessage } from './read-pasted.ts'

const pollMs = 2_000

/**
 * The test address of this page: opened and ended without leaving the page, and what arrives there
 * shown as it comes. The server has read it too, but does not know what is chosen here.
 */
export function startTestAddress(read: ReadMessage, words: AlertWords): void {
  const place = element('test-address')
  if (!document.getElementById('get-test-address')) return // TradingView cannot reach this site
  /** The state as the server told it last. */
  let shown = ''
  let current: TestAddressState | undefined

  function show(state: TestAddressState | undefined): void {
    const told = JSON.stringify(state)
    if (!state || told === shown) return // a screen reader would say it again
    shown = told
    current = state
    showState(state, read, words)
  }
  async function poll(): Promise<void> {
    if (isOpen() && document.visibilityState === 'visible') show(await ask())
  }

  place.addEventListener('submit', async (event) => {
    const form = event.target
    if (!(form instanceof HTMLFormElement)) return
    event.preventDefault()
    const state = await post(form)
    // Then the answer is a page without what was typed and chosen on this one.
    if (!state) return form.submit()
    show(state)
    element(isOpen() ? 'test-address-url' : 'get-test-address').focus()
  })
  document.getElementById('bridges')?.addEventListener('input', () => {
    for (const row of place.querySelectorAll<HTMLElement>('.arrival')) {
      writeVerdict(row, read, words)
    }
    if (current) showSeen(current, read, words)
  })
  copyOnPress('copy-test-address', element('test-address-url'), words.copy)
  document.addEventListener('visibilitychange', () => void poll())
  setInterval(() => void poll(), pollMs)
  void poll()
}

function isOpen(): boolean {
  return !element('test-address-open').hidden
}

function showState(state: TestAddressState, read: ReadMessage, words: AlertWords): void {
  const { address, endsAt, arrivals } = state
  element('test-address-closed').hidden = address !== null
  element('test-address-open').hidden = address === null
  if (element('test-address-url').textContent !== address) forgetCopy('copy-test-address')
  element('test-address-url').textContent = address
  const time = element('test-address-open').querySelector('time')
  if (time && endsAt !== null) {
    time.dateTime = endsAt
    time.textContent = inWords(endsAt, 'short')
  }
  element('arrivals').replaceChildren(...arrivals.map((one) => arrivalRow(one, read, words)))
  showSeen(state, read, words)
}

function showSeen(
  { arrivals, entrySeen, exitSeen }: TestAddressState,
  read: ReadMessage,
  words: AlertWords,
): void {
  const seen = fill(words.seen, {
    count: String(arrivals.length),
    entry: entrySeen ? words.yes : words.notYet,
    exit: exitSeen ? words.yes : words.notYet,
  })
  const readings = arrivals.map(({ message }) => read(message))
  /** The server has read them too, but knows nothing of what is chosen here. */
  const newest = [
    readings.find(({ order }) => order === 'entry' || order === 'short'),
    readings.find(({ order }) => order === 'exit'),
  ]
  const isDone = entrySeen && exitSeen && newest.every((one) => !one?.faults.length)
  const place = element('test-address-seen')
  if (place.textContent === seen + (isDone ? words.done : '')) return // it would be said again
  const line = make('p', seen)
  line.className = 'alert-seen'
  place.replaceChildren(line, ...(isDone ? [make('p', words.done)] : []))
}

/** Returns undefined if the server cannot be reached. */
function post(form: HTMLFormElement): Promise<TestAddressState | undefined> {
  const stop = form.elements.namedItem('stop') ? '1' : ''
  return fetchState(form.action, { method: 'POST', body: new URLSearchParams({ stop }) })
}

function ask(): Promise<TestAddressState | undefined> {
  return fetchState(`${location.pathname}/alerts`, {})
}

async function fetchState(url: string, init: RequestInit): Promise<TestAddressState | undefined> {
  try {
    const answer = await fetch(url, { ...init, headers: { accept: 'application/json' } })
    return answer.ok ? await answer.json() : undefined
  } catch {
    return undefined
  }
}

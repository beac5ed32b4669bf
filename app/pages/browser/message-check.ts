import { personalPage } from '#content/pages/personal-page.ts'
import { bridges } from '#kit/bridges/bridges.ts'
import { checkMessage, type Complaint } from '#kit/bridges/check-message.ts'
import { element, elementOf, glyph, make } from './page-elements.ts'

const text = personalPage.check
const afterLastKeyMs = 600

/** Checks what is pasted at once, and what is typed after a pause. It goes to the bridge chosen above, or another. */
export function startMessageCheck(): void {
  const message = elementOf('check-message', HTMLTextAreaElement)
  const bridge = elementOf('check-bridge', HTMLSelectElement)
  let waiting: ReturnType<typeof setTimeout> | undefined
  message.addEventListener('input', (event) => {
    clearTimeout(waiting)
    const isPasted = event instanceof InputEvent && event.inputType === 'insertFromPaste'
    waiting = setTimeout(showResult, isPasted ? 0 : afterLastKeyMs)
  })
  bridge.addEventListener('change', showResult)
  element('bridges').addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.name !== 'bridge') return
    bridge.value = target.value
    showResult()
  })
  showResult()
}

function showResult(): void {
  const pasted = elementOf('check-message', HTMLTextAreaElement).value
  const bridge = bridges.find(({ id }) => id === elementOf('check-bridge', HTMLSelectElement).value)
  if (!bridge || pasted.trim() === '') return show('')
  const complaints = checkMessage(bridge, pasted)
  if (complaints.length === 0)
    return show(text.nothing, make('ul', finding('success', text.onlyATrialTells.join(bridge.name))))
  const groups = [
    { verdict: 'refused', sum: text.toMend, heading: `${bridge.name} ${text.refused}` },
    { verdict: 'taken', sum: text.toRead, heading: text.taken },
  ]
    .map((one) => ({ ...one, found: complaints.filter(({ verdict }) => verdict === one.verdict) }))
    .filter(({ found }) => found.length > 0)
  show(
    `${groups.map(({ found, sum }) => `${found.length} ${sum}`).join(', ')}.`,
    ...groups.flatMap(({ heading, found }) => [make('h3', heading), make('ul', ...found.map(complained))]),
  )
}

/** Only the count is read out; the findings are there to be walked through. */
function show(count: string, ...findings: Node[]): void {
  element('check-count').textContent = count
  element('check-findings').replaceChildren(...findings)
}

function complained({ verdict, what, cure, line }: Complaint): Node {
  const place = line === undefined ? [] : [make('span', `${text.line} ${line}`), ' ']
  return finding(verdict, ...place, make('strong', ...withCode(what)), ' ', ...withCode(cure))
}

function withCode(sentence: string): (Node | string)[] {
  return sentence.split('`').map((piece, index) => (index % 2 === 0 ? piece : make('code', piece)))
}

function finding(mark: 'success' | 'refused' | 'taken', ...words: (Node | string)[]): Node {
  return make('li', glyph(mark), make('p', ...words))
}

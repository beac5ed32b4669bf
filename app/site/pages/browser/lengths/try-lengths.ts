import { chartElement } from '#site/chart/chart.ts'
import {
  countTrades,
  type Lengths,
  orderCosts,
  runScript,
  sampleRun,
  type SampleRun,
  triedLengths,
} from '#site/chart/sample-run.ts'
import { fill } from '#site/text/fill.ts'
import type { LengthWords } from '../../landing-page/try-lengths/try-lengths.tsx'
import { element, elementOf, make } from '../page-elements.ts'
import { type Drawing, draw, redraw } from './drawing.ts'
import { keepLengths } from './tried-lengths.ts'

/**
 * Puts two fields in the place of the button. With each change the chart, its legend, the counts
 * and the message follow. Nothing is sent; the tab keeps the lengths for the personal page.
 */
export function tryLengths(place: HTMLElement, words: LengthWords): void {
  const status = make('p')
  status.setAttribute('role', 'status')
  const order = make('p')
  order.className = 'soft'
  const message = make('pre')
  message.translate = false
  place.replaceChildren(
    div('length-fields', stepField('fast', words), stepField('slow', words)),
    div('length-words', status, note(words)),
    make('div', order, message),
  )
  let chart: Drawing | undefined
  const show = () => {
    const lengths = typedLengths()
    if (!lengths) {
      status.textContent = fill(words.wrong, {
        least: String(triedLengths.least),
        most: String(triedLengths.most),
      })
      return
    }
    const run = runScript(lengths)
    chart = drawRun(run, words, chart)
    status.textContent = countsInWords(run, words)
    const last = lastOrder(run)
    order.textContent = fill(words.order, { name: last.name })
    message.textContent = last.message
    keepLengths(isOwn(lengths) ? undefined : lengths)
  }
  place.addEventListener('input', show)
  show()
  field('fast').focus({ preventScroll: true })
  place.scrollIntoView({ block: 'nearest' })
}

function div(className: string, ...children: Node[]): HTMLElement {
  const made = make('div', ...children)
  made.className = className
  return made
}

function field(name: keyof Lengths): HTMLInputElement {
  return elementOf(name, HTMLInputElement)
}

/** A field with its label, between a button for one bar less and one for one more. */
function stepField(name: keyof Lengths, words: LengthWords): HTMLElement {
  const label = document.createElement('label')
  label.className = 'label'
  label.htmlFor = name
  label.textContent = words[name]
  const input = document.createElement('input')
  input.type = 'number'
  input.className = 'field'
  input.id = name
  input.name = name
  input.value = String(sampleRun.lengths[name])
  const buttons = [
    { sign: '−', by: -1, words: words.less },
    { sign: '+', by: 1, words: words.more },
  ].map((each) => {
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = each.sign
    button.setAttribute('aria-label', `${words[name]}: ${each.words}`)
    button.addEventListener('click', () => {
      const { min, max, valueAsNumber } = input
      const value = Number.isNaN(valueAsNumber) ? sampleRun.lengths[name] : valueAsNumber
      input.value = String(Math.min(Number(max), Math.max(Number(min), value + each.by)))
      input.dispatchEvent(new Event('input', { bubbles: true }))
    })
    return button
  })
  return make('div', label, div('step-field', buttons[0]!, input, buttons[1]!))
}

/** Returns undefined while the fields hold something else. */
function typedLengths(): Lengths | undefined {
  const { least, most } = triedLengths
  const [fast, slow] = [field('fast'), field('slow')]
  fast.min = String(least)
  slow.max = String(most)
  fast.max = String(Math.min(most, slow.valueAsNumber || most) - 1)
  slow.min = String(Math.max(least, fast.valueAsNumber || least) + 1)
  let areRight = true
  for (const each of [fast, slow]) {
    const isRight = each.validity.valid && each.value !== ''
    areRight &&= isRight
    if (isRight) each.removeAttribute('aria-invalid')
    else each.setAttribute('aria-invalid', 'true')
  }
  return areRight ? { fast: fast.valueAsNumber, slow: slow.valueAsNumber } : undefined
}

/** True for the lengths that the script itself has. */
function isOwn({ fast, slow }: Lengths): boolean {
  return fast === sampleRun.lengths.fast && slow === sampleRun.lengths.slow
}

/** `shown`: the chart of the run before. Undefined: that of the page. */
function drawRun(run: SampleRun, words: LengthWords, shown: Drawing | undefined): Drawing {
  const falseSignal = isOwn(run.lengths) ? words.falseSignal : []
  const drawn = chartElement({ falseSignal, namesFrom: wholeFrom() }, run)
  const chart = shown ? redraw(shown, drawn) : draw(drawn)
  if (!shown) {
    for (const line of chart.node.querySelectorAll<SVGElement>('[pathLength]')) {
      line.style.animation = 'none' // it is drawn slowly once, with the page
    }
    document.querySelector('.chart')?.replaceWith(chart.node)
  }
  for (const name of ['fast', 'slow'] as const) writeLength(name, run.lengths[name], words)
  return chart
}

/** How far a chart that is cut off at its left fades there: app/site/pages/frame/chart.css. */
const fadeRem = 1.75

/** In chart units: where the fade of the chart on the page ends. 0: the chart is whole. */
function wholeFrom(): number {
  const chart = document.querySelector<SVGSVGElement>('svg.chart')
  if (!chart) return 0
  const { width, height } = chart.getBoundingClientRect()
  const whole = chart.viewBox.baseVal
  const unit = Math.max(width / whole.width, height / whole.height)
  const cutOff = whole.width - width / unit
  if (cutOff <= 0) return 0
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
  return cutOff + (fadeRem * rem) / unit
}

/** In the legend above the chart. */
function writeLength(name: keyof Lengths, value: number, { averages }: LengthWords): void {
  const tip = element(`about-${name}`)
  const term = tip.parentElement?.querySelector('button')
  const length = String(value)
  const text = fill(averages[name].term, { length })
  if (!term || term.textContent === text) return
  term.textContent = text
  tip.textContent = fill(averages[name].tip, { length })
}

function countsInWords(run: SampleRun, words: LengthWords): string {
  const { closed, isOneOpen, losing, longestLosingRun, costs } = countTrades(run)
  const counts = fill(words.counts, {
    bars: String(run.bars.length),
    trades: String(closed),
    losing: String(losing),
    inARow: String(longestLosingRun),
    costs: costs.toFixed(2),
  })
  return isOneOpen ? `${counts} ${words.stillOpen}` : counts
}

function note({ note: text }: LengthWords): HTMLElement {
  const made = make(
    'p',
    fill(text, {
      commission: String(orderCosts.commissionPercent),
      slippage: orderCosts.slippage.toFixed(2),
    }),
  )
  made.className = 'soft'
  return made
}

/** The last order of the run, by its name in the chart, and its message. */
function lastOrder({ trades }: SampleRun) {
  const last = trades.at(-1)
  const isOpen = last?.exitMessage === undefined
  return {
    name: `${isOpen ? 'Entry' : 'Exit'} ${trades.length}`,
    message: (isOpen ? last?.entryMessage : last.exitMessage) ?? '',
  }
}

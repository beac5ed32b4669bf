import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { figure } from './format.ts'
import { Disclosure, pause } from './parts.tsx'

// Drawn by the rules of the chart on the landing page: 11 px a bar, never stretched, anchored at the axis at the right.

const barPx = 11
const bodyPx = 7
const topPx = 26
const bottomPx = 216
const height = 244
const tagPx = 20

interface Series {
  /** An `outline` stands behind the bars of a part of it. Undefined: in the table only. */
  as?: 'bars' | 'outline' | 'fast' | 'slow' | 'stop'
  /** In the legend. */
  name?: string
  /** The heading in the table. Undefined: not in the table. */
  column?: string
  values: readonly number[]
}

interface PlotProps {
  /** The slider's name, such as "Sign-ups". */
  name: string
  labels: readonly string[]
  labelsColumn: string
  labelEvery: number
  /** The cross-hair reads the last bars, or else the first line. */
  series: readonly Series[]
  spoken: (index: number) => string
  /** Below the axis. */
  unit: string
  /** In the legend: the last bar is not over yet. */
  open?: string
  /** The number of bars at the end that are counted below the plot. */
  strip?: { bars: number; name: string }
  notes: readonly { index: number; words: string }[]
}

const isBars = ({ as }: Series) => as === 'bars' || as === 'outline'
const isLine = ({ as }: Series) => as !== undefined && as !== 'bars' && as !== 'outline'

/** A plot, and the same figures as a table below it. */
export function Plot(props: PlotProps) {
  const { name, labels, labelsColumn, series } = props
  const columns = series.filter(({ column }) => column !== undefined)
  return (
    <figure className="plot">
      <Legend {...props} />
      <Slider {...props} />
      <Disclosure words="All figures of this plot">
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, also by the keyboard */}
        <section className="figures" aria-label={name} tabIndex={0}>
          <table>
            <thead>
              <tr>
                {[labelsColumn, ...columns.map(({ column }) => column)].map((heading) => (
                  <th scope="col" key={heading}>
                    {heading}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {Array.from(labels, (label, index) => (
                <tr key={index}>
                  <th scope="row">{label}</th>
                  {columns.map(({ column, values }) => (
                    <td key={column}>{figure(values[index] ?? 0)}</td>
                  ))}
                </tr>
              )).toReversed()}
            </tbody>
          </table>
        </section>
      </Disclosure>
    </figure>
  )
}

function Legend({ series, open, strip }: PlotProps) {
  const keys = [
    ...series.filter(isBars),
    { as: 'hollow', name: open },
    ...series.filter(isLine),
    { as: 'strip', name: strip?.name },
  ]
  const bar = 'M2.5 3.5h7v13h-7z'
  const shapes: Record<string, string> = { bars: bar, outline: bar, hollow: bar }
  return (
    <div className="legend plot-legend">
      {keys
        .filter(({ name }) => name !== undefined)
        .map(({ as = '', name }) => (
          <span className={`key key-${as}`} key={as}>
            <svg width={shapes[as] ? 12 : 22} height="20" aria-hidden="true">
              <path className={`c-${as}`} d={shapes[as] ?? 'M0 10h22'} />
            </svg>
            {name}
            {pause}
          </span>
        ))}
    </div>
  )
}

/** One tab stop: pointer, finger and arrow keys move a cross-hair. */
function Slider(props: PlotProps) {
  const { name, labels, spoken } = props
  const { box, width, axis } = useSize()
  const [chosen, setChosen] = useState<number>()
  const last = Math.max(0, labels.length - 1)
  const shown = Math.min(labels.length, Math.max(0, Math.floor((width - axis) / barPx)))
  const first = labels.length - shown
  // A narrower window may have fewer bars, of weeks.
  const at = chosen !== undefined && chosen <= last ? chosen : undefined
  const goTo = (index: number) => setChosen(clamp(index, first, last))
  const leave = () => setChosen(undefined)
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape') leave()
    if (event.key !== 'PageUp' && event.key !== 'PageDown') return
    event.preventDefault()
    goTo((at ?? last) + (event.key === 'PageUp' ? 7 : -7))
  }
  const point = (event: PointerEvent) => {
    const { right } = event.currentTarget.getBoundingClientRect()
    goTo(last - Math.floor((right - axis - event.clientX) / barPx))
  }
  return (
    <div className="plot-window" ref={box} onPointerMove={point} onPointerDown={point} onPointerLeave={leave}>
      <input
        className="unseen"
        type="range"
        min={first}
        max={last}
        value={at ?? last}
        aria-label={name}
        aria-valuetext={labels.length === 0 ? '' : spoken(at ?? last)}
        onChange={(event) => goTo(event.target.valueAsNumber)}
        onKeyDown={press}
        onBlur={leave}
      />
      {shown > 0 && <Drawing plot={layOut(props, { width, axis, shown, at })} />}
    </div>
  )
}

function useSize() {
  const box = useRef<HTMLDivElement>(null)
  const [size, setSize] = useState({ width: 0, axis: 72 })
  useEffect(() => {
    if (!box.current) return
    const observer = new ResizeObserver(([entry]) =>
      setSize({ width: Math.floor(entry?.contentRect.width ?? 0), axis: innerWidth < 720 ? 68 : 72 }),
    )
    observer.observe(box.current)
    return () => observer.disconnect()
  }, [])
  return { box, ...size }
}

type Window = { width: number; axis: number; shown: number; at: number | undefined }

function layOut(props: PlotProps, { width, axis, shown, at }: Window) {
  const { labels, series } = props
  const [bars, lines] = [series.filter(isBars), series.filter(isLine)]
  const [right, last, first] = [width - axis, labels.length - 1, labels.length - shown]
  const drawn = [...bars, ...lines].flatMap(({ values }) => values.slice(first))
  const { step, top } = scaleFor(Math.max(0, ...drawn), bars.length > 0 ? 1 : 0.1)
  const x = (index: number) => right - (labels.length - index) * barPx + barPx / 2
  const y = (value: number) => Math.round(bottomPx - ((bottomPx - topPx) * value) / top) + 0.5
  const main = (bars.at(-1) ?? lines[0])?.values ?? []
  /** The value under the cross-hair, or else the newest of each series. */
  const tags =
    at === undefined
      ? [...lines, ...bars.slice(-1)].map(({ as, values }) => ({ as, value: values[last] ?? 0 }))
      : [{ as: 'bars' as const, value: main[at] ?? 0 }]
  return {
    ...props,
    bars,
    lines,
    width,
    right,
    last,
    at,
    x,
    y,
    indexes: Array.from({ length: shown }, (_, index) => first + index),
    axisValues: Array.from({ length: Math.round(top / step) + 1 }, (_, index) => index * step),
    mainY: (index: number) => y(main[index] ?? 0),
    tags: spread(tags.map((tag) => ({ ...tag, y: y(tag.value) }))),
  }
}

type Layout = ReturnType<typeof layOut>

/** Returns at most six round values, from 0. */
function scaleFor(highest: number, least: number): { step: number; top: number } {
  const steps = [1, 10, 100, 1e3, 1e4, 1e5, 1e6].flatMap((power) => [power, 2 * power, 5 * power])
  const step = least * (steps.find((one) => least * one * 5 >= highest) ?? highest)
  return { step, top: Math.max(1, Math.ceil(highest / step)) * step }
}

/** Moves tags apart that would cover each other. */
function spread<Tag extends { y: number }>(tags: readonly Tag[]): Tag[] {
  let lowest = bottomPx + 0.5 - tagPx / 2
  return tags
    .toSorted((a, b) => b.y - a.y)
    .map((tag) => {
      const y = Math.min(tag.y, lowest)
      lowest = y - tagPx
      return { ...tag, y }
    })
}

function Drawing({ plot }: { plot: Layout }) {
  const { width, right, at, x, y, mainY, indexes, bars, lines, labels, tags } = plot
  return (
    <svg width={width} height={height} aria-hidden="true">
      <Grid plot={plot} />
      {bars.length > 0 && <Bars plot={plot} />}
      {lines.toReversed().map(({ as, values }) => {
        const points = indexes.map((index) => `${x(index)} ${y(values[index] ?? 0)}`)
        return (
          <path
            key={as}
            className={`c-${as}`}
            d={`M${points.join('L')}${as === 'stop' ? `H${right}` : ''}`}
          />
        )
      })}
      <Notes plot={plot} />
      {at !== undefined && (
        <>
          <path className="c-cross" d={`M${x(at)} 0V${bottomPx}M0 ${mainY(at)}H${right}`} />
          <text className="c-day" x={clamp(x(at), 30, right - 30)} y={height - 9} textAnchor="middle">
            {labels[at]}
          </text>
        </>
      )}
      {tags.map((tag) => (
        <g key={tag.as}>
          <path className={`c-tag c-tag-${tag.as}`} d={`M${right} ${tag.y}l6-10H${width}v20H${right + 6}z`} />
          <text x={width - 8} y={tag.y + 4.5} textAnchor="end">
            {figure(tag.value)}
          </text>
        </g>
      ))}
    </svg>
  )
}

function Grid({ plot }: { plot: Layout }) {
  const { width, right, last, at, x, y, indexes, axisValues, tags, labels, labelEvery, unit } = plot
  const labelled = indexes.filter((index) => (last - index) % labelEvery === labelEvery >> 1)
  const isFree = (middle: number) =>
    middle > 26 && middle < right - 26 && (at === undefined || Math.abs(middle - x(at)) > 64)
  const text = (words: string | undefined, textX: number, textY: number, textAnchor: 'middle' | 'end') => (
    <text key={`${words} ${textX}`} x={textX} y={textY} textAnchor={textAnchor}>
      {words}
    </text>
  )
  return (
    <>
      <path className="c-rule" d={axisValues.map((value) => `M0 ${y(value)}H${right}`).join('')} />
      <path className="c-rule" d={labelled.map((index) => `M${x(index)} 0V${y(0)}`).join('')} />
      {axisValues
        .filter((value) => tags.every((tag) => Math.abs(tag.y - y(value)) >= tagPx))
        .map((value) => text(figure(value), width - 8, y(value) + 4, 'end'))}
      {labelled
        .filter((index) => isFree(x(index)))
        .map((index) => text(labels[index], x(index), height - 9, 'middle'))}
      {text(unit, width - 8, height - 9, 'end')}
    </>
  )
}

function Bars({ plot }: { plot: Layout }) {
  const { right, last, x, y, mainY, indexes, bars, strip, open } = plot
  const body = (index: number, top: number) =>
    top < y(0) ? `M${x(index) - bodyPx / 2} ${y(0)}V${top}h${bodyPx}V${y(0)}z` : ''
  const isDrawn = (as: Series['as'], index: number) => open === undefined || as === 'outline' || index < last
  return (
    <>
      {strip && (
        <path
          className="c-strip"
          d={`M${right - Math.min(strip.bars, indexes.length) * barPx} ${y(0) - 2.5}H${right}`}
        />
      )}
      {bars.map(({ as, values }) => {
        const bodies = indexes
          .filter((index) => isDrawn(as, index))
          .map((index) => body(index, y(values[index] ?? 0)))
        return <path key={as} className={`c-${as}`} d={bodies.join('')} />
      })}
      {open !== undefined && <path className="c-hollow" d={body(last, Math.min(mainY(last), y(0) - 8))} />}
    </>
  )
}

/** Draws the last of the notes that would cover each other. */
function Notes({ plot: { x, mainY, indexes, notes } }: { plot: Layout }) {
  const drawn: { index: number; words: string; from: number; anchor: 'start' | 'end' }[] = []
  for (const { index, words } of notes.toSorted((a, b) => b.index - a.index)) {
    const length = 8 * words.length
    const anchor = x(index) > length ? 'end' : 'start'
    const from = anchor === 'end' ? x(index) - length : x(index)
    const isFree = drawn.every((other) => from + length < other.from)
    if (isFree && index >= (indexes[0] ?? 0)) drawn.push({ index, words, from, anchor })
  }
  return drawn.map(({ index, words, anchor }) => (
    <g key={words}>
      <path className="c-leader" d={`M${x(index)} 20V${mainY(index) - 4}`} />
      <text className="c-note" x={x(index) + 2} y={14} textAnchor={anchor}>
        {words}
      </text>
    </g>
  ))
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value))
}

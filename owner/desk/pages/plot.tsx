import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { deskText } from '#content/desk.ts'
import { Disclosure } from './parts.tsx'

// Drawn by the rules of the chart on the landing page: 11 px a bar, never stretched, anchored at the axis at the right.

const barPx = 11
const bodyPx = 7
const topPx = 26
const bodyHeightPx = 190
const bottomPx = 28
const tagPx = 20
const height = topPx + bodyHeightPx + bottomPx

interface PlotLine {
  kind: 'fast' | 'slow' | 'stop'
  /** Null: there is none. */
  values: readonly (number | null)[]
}

export interface PlotProps {
  /** The slider's name, such as "Sign-ups". */
  name: string
  bars: readonly number[] | undefined
  /** Drawn solid over outlines of the bars. */
  part?: readonly number[] | undefined
  lines: readonly PlotLine[]
  labels: readonly string[]
  spoken: (index: number) => string
  labelEvery: number
  format: (value: number) => string
  /** The last bar is not over yet. */
  isLastOpen?: boolean
  /** As many at the end are counted below the plot. */
  strip?: number
  notes?: readonly { index: number; words: string }[]
  /** Below the axis. */
  unit: string
  columns: readonly { heading: string; cell: (index: number) => string }[]
  legend: ReactNode
}

/** A plot, and the same figures as a table below it. */
export function Plot(props: PlotProps) {
  const { legend, columns, labels } = props
  return (
    <figure className="plot">
      <div className="legend plot-legend">{legend}</div>
      <Drawing {...props} />
      <Disclosure words={deskText.figures}>
        <table className="figures">
          <thead>
            <tr>
              {columns.map(({ heading }) => (
                <th scope="col" key={heading}>
                  {heading}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {Array.from(labels.keys())
              .toReversed()
              .map((index) => (
                <tr key={index}>
                  {columns.map(({ heading, cell }) => (
                    <td key={heading}>{cell(index)}</td>
                  ))}
                </tr>
              ))}
          </tbody>
        </table>
      </Disclosure>
    </figure>
  )
}

/** How wide the drawing is, and how many bars that holds. */
function usePlotWidth() {
  const box = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  const [axis, setAxis] = useState(72)
  useEffect(() => {
    if (!box.current) return
    const observer = new ResizeObserver(([entry]) => {
      setWidth(Math.floor(entry?.contentRect.width ?? 0))
      setAxis(innerWidth < 720 ? 68 : 72)
    })
    observer.observe(box.current)
    return () => observer.disconnect()
  }, [])
  return { box, width, axis, fits: Math.max(0, Math.floor((width - axis) / barPx)) }
}

/** One tab stop: pointer, finger and arrow keys move a cross-hair. */
function Drawing(props: PlotProps) {
  const { box, width, axis, fits } = usePlotWidth()
  const count = props.labels.length
  const shown = Math.min(fits, count)
  const [chosen, setAt] = useState<number>()
  const last = count - 1
  // A narrower window may have fewer bars, of weeks.
  const at = chosen !== undefined && chosen <= last ? chosen : undefined
  const goTo = (index: number) => setAt(Math.min(last, Math.max(count - shown, index)))
  const press = (event: KeyboardEvent) => {
    const from = at ?? last
    const target = { ArrowLeft: from - 1, ArrowDown: from - 1, ArrowRight: from + 1, ArrowUp: from + 1 }[
      event.key
    ]
    const far = { PageUp: from + 7, PageDown: from - 7, Home: count - shown, End: last }[event.key]
    const next = target ?? far
    if (event.key === 'Escape') setAt(undefined)
    if (next === undefined) return
    event.preventDefault()
    goTo(next)
  }
  const point = (event: PointerEvent) => {
    const { right } = event.currentTarget.getBoundingClientRect()
    goTo(last - Math.floor((right - axis - event.clientX) / barPx))
  }
  return (
    <div
      className="plot-window"
      ref={box}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an input could not hold the drawing
      role="slider"
      tabIndex={0}
      aria-label={props.name}
      aria-valuemin={0}
      aria-valuemax={Math.max(0, last)}
      aria-valuenow={at ?? Math.max(0, last)}
      aria-valuetext={last < 0 ? '' : props.spoken(at ?? last)}
      onKeyDown={press}
      onPointerMove={point}
      onPointerDown={point}
      onPointerLeave={() => setAt(undefined)}
      onBlur={() => setAt(undefined)}
    >
      {width > 0 && <Picture {...props} width={width} axis={axis} shown={shown} at={at} />}
    </div>
  )
}

interface Geometry {
  /** Where the axis stands. */
  right: number
  width: number
  /** The index of the first bar shown, and of all of them. */
  first: number
  shown: readonly number[]
  step: number
  top: number
  x: (index: number) => number
  y: (value: number) => number
}

interface PictureProps extends PlotProps {
  width: number
  axis: number
  shown: number
  at: number | undefined
}

function Picture(props: PictureProps) {
  const { at, bars, part, lines, labels, notes = [], format } = props
  const plot = geometryOf(props)
  const { x, y, right, first } = plot
  const main = part ?? bars ?? lines[0]?.values ?? []
  const tags = at === undefined ? tagsNow(props, y) : [tagFor('ink', main[at] ?? 0, y)]
  return (
    <svg width={plot.width} height={height} aria-hidden="true">
      <Grid plot={plot} tags={tags} props={props} />
      {bars && <Bars plot={plot} bars={bars} props={props} />}
      {lines.map(({ kind, values }) => (
        <path key={kind} className={`c-${kind}`} d={lineThrough(plot, values, kind === 'stop')} />
      ))}
      {notes
        .filter(({ index }) => index >= first)
        .filter(({ index }) => !notes.some((one) => one.index > index && one.index - index < 12))
        .map(({ index, words }) => (
          <g key={words}>
            <path className="c-leader" d={`M${x(index)} 20V${y(main[index] ?? 0) - 4}`} />
            <text className="c-note" x={x(index) + 2} y={14} textAnchor={x(index) > 120 ? 'end' : 'start'}>
              {words}
            </text>
          </g>
        ))}
      {at !== undefined && (
        <>
          <path className="c-cross" d={`M${x(at)} 0V${height - bottomPx}M0 ${y(main[at] ?? 0)}H${right}`} />
          <text className="c-day" x={clamp(x(at), 30, right - 30)} y={height - 9} textAnchor="middle">
            {labels[at]}
          </text>
        </>
      )}
      {spread(tags, y(0)).map((tag) => (
        <g key={tag.kind}>
          <path
            className={`c-tag-${tag.kind}`}
            d={`M${right} ${tag.y}l6-10H${plot.width}v20H${right + 6}z`}
          />
          <text className="c-tag" x={plot.width - 8} y={tag.y + 4.5} textAnchor="end">
            {format(tag.value)}
          </text>
        </g>
      ))}
    </svg>
  )
}

function geometryOf({ width, axis, shown, bars, lines, labels }: PictureProps): Geometry {
  const [first, right] = [labels.length - shown, width - axis]
  const values = [bars ?? [], ...lines.map((line) => line.values)].flatMap((all) => all.slice(first))
  const highest = Math.max(0, ...values.map((value) => value ?? 0))
  const least = bars ? 1 : 0.002 // counts have no parts
  // At most six values, from 0.
  const steps = [-4, -3, -2, -1, 0, 1, 2, 3, 4, 5].flatMap((power) =>
    [1, 2, 5].map((digit) => digit * 10 ** power),
  )
  const step = steps.find((one) => one >= least && one * 5 >= highest) ?? 1e6
  const top = Math.max(step, Math.ceil(highest / step) * step)
  return {
    right,
    width,
    first,
    shown: Array.from({ length: shown }, (_, index) => first + index),
    step,
    top,
    x: (index) => right - (labels.length - index) * barPx + barPx / 2,
    y: (value) => Math.round(topPx + bodyHeightPx * (1 - value / top)) + 0.5,
  }
}

function Grid({ plot, tags, props }: { plot: Geometry; tags: readonly Tag[]; props: PictureProps }) {
  const { step, top, x, y, right, width, shown } = plot
  const { labels, labelEvery, format, unit, at } = props
  const values = Array.from({ length: Math.round(top / step) + 1 }, (_, index) => index * step)
  const isFree = (value: number) => spread(tags, y(0)).every((tag) => Math.abs(tag.y - y(value)) >= tagPx)
  const labelled = shown.filter((index) => (labels.length - 1 - index) % labelEvery === labelEvery >> 1)
  const baseline = height - 9
  return (
    <>
      <path className="c-rule" d={values.map((value) => `M0 ${y(value)}H${right}`).join('')} />
      <path className="c-rule" d={labelled.map((index) => `M${x(index)} 0V${y(0)}`).join('')} />
      {values.filter(isFree).map((value) => (
        <text className="c-value" key={value} x={width - 8} y={y(value) + 4} textAnchor="end">
          {format(value)}
        </text>
      ))}
      {labelled
        .filter((index) => x(index) > 26 && x(index) < right - 26)
        .filter((index) => at === undefined || Math.abs(x(index) - x(at)) > 64)
        .map((index) => (
          <text className="c-value" key={index} x={x(index)} y={baseline} textAnchor="middle">
            {labels[index]}
          </text>
        ))}
      <text className="c-value" x={width - 8} y={baseline} textAnchor="end">
        {unit}
      </text>
    </>
  )
}

function Bars({ plot, bars, props }: { plot: Geometry; bars: readonly number[]; props: PictureProps }) {
  const { x, y, right, shown } = plot
  const { part, strip = 0, isLastOpen = false } = props
  const [solid, last] = [part ?? bars, bars.length - 1]
  const bodies = (indexes: readonly number[], of: readonly number[]) =>
    indexes.map((index) => body(x(index), y(of[index] ?? 0), y(0))).join('')
  const stripFrom = x(bars.length - Math.min(strip, shown.length)) - barPx / 2
  return (
    <>
      {strip > 0 && <path className="c-strip" d={`M${stripFrom} ${y(0) - 2.5}H${right}`} />}
      {part && <path className="c-outline" d={bodies(shown, bars)} />}
      <path
        className="c-bars"
        d={bodies(isLastOpen ? shown.filter((index) => index < last) : shown, solid)}
      />
      {isLastOpen && (
        <path className="c-hollow" d={body(x(last), Math.min(y(solid[last] ?? 0), y(0) - 8), y(0))} />
      )}
    </>
  )
}

function body(x: number, top: number, bottom: number): string {
  return top < bottom ? `M${x - bodyPx / 2} ${bottom}V${top}h${bodyPx}V${bottom}z` : ''
}

function lineThrough(
  { shown, x, y, right }: Geometry,
  values: readonly (number | null)[],
  isLevel: boolean,
): string {
  const points = shown.flatMap((index) => {
    const value = values[index]
    return value === null || value === undefined ? [] : [`${x(index)} ${y(value)}`]
  })
  if (points.length === 0) return ''
  return `M${points.join('L')}${isLevel ? `H${right}` : ''}`
}

interface Tag {
  kind: 'fast' | 'slow' | 'ink'
  value: number
  y: number
}

function tagFor(kind: Tag['kind'], value: number, y: Geometry['y']): Tag {
  return { kind, value, y: y(value) }
}

/** The newest value of every line, and of the bars. */
function tagsNow({ bars, part, lines }: PlotProps, y: Geometry['y']): Tag[] {
  const ofLines = lines.flatMap(({ kind, values }) => {
    const value = values.findLast((one) => one !== null)
    return value === undefined || value === null ? [] : [tagFor(kind === 'stop' ? 'ink' : kind, value, y)]
  })
  const now = (part ?? bars)?.at(-1)
  return now === undefined ? ofLines : [...ofLines, tagFor('ink', now, y)]
}

/** Moves tags apart that would cover each other. */
function spread(tags: readonly Tag[], lowest: number): Tag[] {
  const placed: Tag[] = []
  for (const tag of tags.toSorted((a, b) => b.y - a.y)) {
    const below = placed.at(-1)?.y ?? lowest + tagPx / 2
    placed.push({ ...tag, y: Math.min(tag.y, below - tagPx) })
  }
  return placed
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value))
}

/** Exponential moving average, as in the script: it begins with the first value. */
export function emaOf(values: readonly number[], length: number): number[] {
  const weight = 2 / (length + 1)
  let average = values[0] ?? 0
  return values.map((value) => (average += weight * (value - average)))
}

const samples = {
  bars: 'M2.5 3.5h7v13h-7z',
  hollow: 'M2.5 3.5h7v13h-7z',
  outline: 'M2.5 3.5h7v13h-7z',
  fast: 'M0 10h22',
  slow: 'M0 10h22',
  stop: 'M0 10h22',
  strip: 'M0 10h22',
}

/** An entry of a legend. */
export function Key({ of, children }: { of: keyof typeof samples; children: ReactNode }) {
  const isBar = samples[of].endsWith('z')
  return (
    <span className={`key key-${of}`}>
      <svg width={isBar ? 12 : 22} height="20" aria-hidden="true">
        <path className={`c-${of}`} d={samples[of]} />
      </svg>
      {children}
    </span>
  )
}

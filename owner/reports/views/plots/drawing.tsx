import { formatNumber } from '#owner/desk/views/format/format.ts'
import styles from './chart.module.css'
import { axisWidth, chartHeight, labelledPoints, type Layout, plotBottom } from './layout.ts'

const tagHeight = 20
const labelRoom = 64

export interface PlotSeries {
  name: string
  look: 'bars' | 'outline'
  values: readonly number[]
}

export interface PlotNote {
  /** One of the labels. */
  x: string
  label: string
}

interface LayoutProps {
  layout: Layout
}

interface DrawingProps extends LayoutProps {
  labels: readonly string[]
  series: readonly PlotSeries[]
  notes: readonly PlotNote[]
  ticks: readonly number[]
  /** The point at which it is. */
  crossHair: number | undefined
}

export function Drawing({ layout, labels, series, notes, ticks, crossHair }: DrawingProps) {
  const value = crossHair === undefined ? undefined : series.at(-1)?.values[crossHair]
  return (
    <svg className={styles.drawing} height={chartHeight} aria-hidden>
      <Axis layout={layout} ticks={ticks} value={value} />
      <Labels layout={layout} labels={labels} crossHair={crossHair} />
      {series.map((one) => (
        <Bars key={one.name} layout={layout} {...one} />
      ))}
      {notes.map(({ x, label }) => (
        <Note key={x} layout={layout} index={labels.indexOf(x)} label={label} />
      ))}
      {crossHair !== undefined && value !== undefined && (
        <CrossHair
          layout={layout}
          index={crossHair}
          label={labels[crossHair] ?? ''}
          value={value}
        />
      )}
    </svg>
  )
}

interface AxisProps extends LayoutProps {
  ticks: readonly number[]
  /** Stands on the axis as a tag: a tick that it would cut is left out. */
  value: number | undefined
}

/** Values at the right edge, each with its line. */
function Axis({ layout: { plotWidth, y }, ticks, value }: AxisProps) {
  const isFree = (tick: number) => value === undefined || Math.abs(y(tick) - y(value)) >= tagHeight
  return (
    <>
      {ticks.map((tick) => (
        <g key={tick}>
          <line className={styles.line} x2={plotWidth} y1={y(tick)} y2={y(tick)} />
          {isFree(tick) && (
            <text x={plotWidth + axisWidth - 8} y={y(tick) + 4} textAnchor="end">
              {formatNumber(tick)}
            </text>
          )}
        </g>
      ))}
      <line className={styles.line} x1={plotWidth} x2={plotWidth} y2={chartHeight} />
    </>
  )
}

interface LabelsProps extends LayoutProps {
  labels: readonly string[]
  /** Its tag stands over the labels beside it. */
  crossHair: number | undefined
}

function Labels({ layout, labels, crossHair }: LabelsProps) {
  const isFree = (index: number) =>
    crossHair === undefined || Math.abs(layout.x(index) - layout.x(crossHair)) >= labelRoom
  return labelledPoints(labels, layout)
    .filter(isFree)
    .map((index) => (
      <text key={index} x={layout.x(index)} y={chartHeight - 8} textAnchor="middle">
        {labels[index]}
      </text>
    ))
}

function Bars({ layout: { x, y, barWidth }, look, values }: LayoutProps & PlotSeries) {
  return values.map((value, index) => (
    <rect
      // oxlint-disable-next-line react/no-array-index-key -- a point has nothing but its place
      key={index}
      className={styles[look]}
      x={x(index) - barWidth / 2}
      width={barWidth}
      y={y(value)}
      height={plotBottom - y(value)}
    />
  ))
}

interface NoteProps extends LayoutProps {
  index: number
  label: string
}

/** Its words are on the side that has more room. */
function Note({ layout, index, label }: NoteProps) {
  const x = layout.x(index)
  const isRight = x > layout.plotWidth / 2
  return (
    <>
      <line className={styles.note} x1={x} x2={x} y1={4} y2={plotBottom} />
      <text x={isRight ? x - 6 : x + 6} y={14} textAnchor={isRight ? 'end' : 'start'}>
        {label}
      </text>
    </>
  )
}

interface CrossHairProps extends NoteProps {
  value: number
}

/** The value is on the axis, the label below. */
function CrossHair({ layout: { plotWidth, x, y }, index, label, value }: CrossHairProps) {
  const labelWidth = label.length * 8 + 12
  const labelX = Math.min(plotWidth - labelWidth, Math.max(0, x(index) - labelWidth / 2))
  return (
    <>
      <line className={styles.crosshair} x1={x(index)} x2={x(index)} y2={plotBottom} />
      <line className={styles.crosshair} x2={plotWidth} y1={y(value)} y2={y(value)} />
      <rect
        className={styles.tag}
        x={plotWidth}
        y={y(value) - tagHeight / 2}
        width={axisWidth}
        height={tagHeight}
      />
      <text x={plotWidth + axisWidth - 8} y={y(value) + 4} textAnchor="end">
        {formatNumber(value)}
      </text>
      <rect
        className={styles.tag}
        x={labelX}
        y={chartHeight - 22}
        width={labelWidth}
        height={tagHeight}
      />
      <text x={labelX + labelWidth / 2} y={chartHeight - 8} textAnchor="middle">
        {label}
      </text>
    </>
  )
}

import { useElementSize } from '@mantine/hooks'
import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import { formatNumber } from '#owner/desk/views/format/format.ts'
import styles from './chart.module.css'
import { Drawing, type PlotNote, type PlotSeries } from './drawing.tsx'
import { layOut } from './layout.ts'
import type { Scale } from './scale.ts'

const daysPerWeek = 7

/** The values of a plot. */
export interface Plotted {
  /** For a screen reader. */
  name: string
  /** One for each point, from the oldest. */
  labels: readonly string[]
  /** Each is drawn over the one before. */
  series: readonly PlotSeries[]
  /** Vertical lines with words. */
  notes: readonly PlotNote[]
}

/**
 * A cross-hair follows pointer and keys. To a screen reader it is a slider over the points.
 */
export function Chart({ scale, ...plotted }: Plotted & { scale: Scale }) {
  const { name, labels, series } = plotted
  const { ref, width } = useElementSize()
  const [chosen, choose] = useState<number>()
  const layout = layOut(width, labels.length, scale)
  const newest = labels.length - 1
  const shown = Math.min(chosen ?? newest, newest) // a shorter period has fewer points
  return (
    <>
      <Legend series={series} />
      <div
        ref={ref}
        className={styles.chart}
        role="slider"
        tabIndex={0}
        aria-label={name}
        aria-valuemin={0}
        aria-valuemax={newest}
        aria-valuenow={shown}
        aria-valuetext={describePoint(labels, series, shown)}
        onKeyDown={(event) => moveByKey(event, { shown, newest, choose })}
        onPointerMove={(event) => choose(layout.indexAt(xOf(event)))}
        onPointerLeave={() => choose(undefined)}
        onBlur={() => choose(undefined)}
      >
        <Drawing
          {...plotted}
          layout={layout}
          ticks={scale.ticks}
          crossHair={chosen === undefined ? undefined : shown}
        />
      </div>
    </>
  )
}

/** "3 Nov: reddit 11, All 24" */
function describePoint(labels: readonly string[], series: readonly PlotSeries[], index: number) {
  const values = series.map(({ name, values: all }) => `${name} ${formatNumber(all[index] ?? 0)}`)
  return `${labels[index]}: ${values.toReversed().join(', ')}`
}

interface KeyMove {
  shown: number
  newest: number
  choose: (index: number | undefined) => void
}

function moveByKey(event: KeyboardEvent, { shown, newest, choose }: KeyMove): void {
  const moves: Record<string, number | undefined> = {
    ArrowLeft: shown - 1,
    ArrowDown: shown - 1,
    ArrowRight: shown + 1,
    ArrowUp: shown + 1,
    PageDown: shown - daysPerWeek,
    PageUp: shown + daysPerWeek,
    Home: 0,
    End: newest,
  }
  if (event.key === 'Escape') choose(undefined)
  const target = moves[event.key]
  if (target === undefined) return
  event.preventDefault() // the page would scroll
  choose(Math.min(newest, Math.max(0, target)))
}

function xOf({ currentTarget, clientX }: PointerEvent): number {
  return clientX - currentTarget.getBoundingClientRect().left
}

function Legend({ series }: { series: readonly PlotSeries[] }) {
  return (
    <ul className={styles.legend}>
      {series.map(({ name, look }) => (
        <li key={name}>
          <svg className={styles.swatch} width={8} height={14} aria-hidden>
            <rect className={styles[look]} x={0.5} y={0.5} width={7} height={13} />
          </svg>
          {name}
        </li>
      ))}
    </ul>
  )
}

import { CompositeChart, type CompositeChartSeries } from '@mantine/charts'
import '@mantine/charts/styles.css'

export interface PlotProps {
  /** For a screen reader: what the plot shows. */
  name: string
  /** Of the points, from the oldest. */
  labels: readonly string[]
  /** Those of the labels that may stand below the plot, if not all. */
  ticks?: readonly string[]
  series: readonly { name: string; as: keyof typeof looks; values: readonly number[] }[]
  /** Vertical lines with words. */
  notes: readonly { x: string; label: string }[]
}

const looks = {
  bars: { type: 'bar', color: 'ink2' },
  outline: { type: 'bar', color: 'rule' },
  fast: { type: 'line', color: 'fast' },
  slow: { type: 'line', color: 'slow' },
} satisfies Record<string, Omit<CompositeChartSeries, 'name'>>

/** Loaded apart from the views: with its library it is as large as the rest of the desk. */
export default function Chart({ name, labels, ticks, series, notes }: PlotProps) {
  const data = labels.map((label, index) => ({
    label,
    ...Object.fromEntries(series.map((one) => [one.name, one.values[index]])),
  }))
  return (
    <CompositeChart
      aria-label={name}
      role="figure"
      h={260}
      data={data}
      dataKey="label"
      series={series.map((one) => ({ name: one.name, yAxisId: 'right', ...looks[one.as] }))}
      withYAxis={false}
      withRightYAxis
      withDots={false}
      withLegend
      legendProps={{ verticalAlign: 'top' }}
      curveType="linear"
      maxBarWidth={16}
      strokeDasharray="0"
      xAxisProps={{ interval: 'equidistantPreserveStart', minTickGap: 20, ...(ticks && { ticks }) }}
      rightYAxisProps={{ allowDecimals: false, width: 64 }}
      lineProps={({ color }) => ({
        strokeWidth: color === 'slow' ? 3.5 : 2,
        isAnimationActive: false,
      })}
      barProps={{ isAnimationActive: false }}
      composedChartProps={{ barGap: '-100%' }}
      referenceLines={notes.map((note) => {
        return { ...note, yAxisId: 'right', color: 'ink2', labelPosition: 'insideTopRight' }
      })}
    />
  )
}

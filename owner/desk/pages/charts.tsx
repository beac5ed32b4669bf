import { CompositeChart, type CompositeChartSeries } from '@mantine/charts'
import '@mantine/charts/styles.css'

export interface PlotProps {
  /** For a screen reader: what the plot shows. */
  name: string
  /** Of the points, from the oldest. */
  labels: readonly string[]
  series: readonly Series[]
  /** The number of points between two labels of the axis. */
  labelEvery: number
  unit?: string
  /** Vertical lines with words. */
  notes?: readonly { label: string; words: string }[]
}

interface Series {
  name: string
  /** `stop`: a dashed line at a limit. */
  as: 'bars' | 'outline' | 'fast' | 'slow' | 'stop'
  values: readonly number[]
}

const looks: Record<Series['as'], Omit<CompositeChartSeries, 'name'>> = {
  bars: { type: 'bar', color: 'ink2' },
  outline: { type: 'bar', color: 'rule' },
  fast: { type: 'line', color: 'fast' },
  slow: { type: 'line', color: 'slow' },
  stop: { type: 'line', color: 'ink', strokeDasharray: '5 4' },
}

/** Loaded apart from the views: with its library it is as large as the rest of the desk. */
export default function Plot({ name, labels, series, labelEvery, unit = '', notes = [] }: PlotProps) {
  const data = labels.map((label, index) => ({
    label,
    ...Object.fromEntries(series.map((one) => [one.name, one.values[index]])),
  }))
  return (
    <figure aria-label={name} className="plot">
      <CompositeChart
        h={260}
        data={data}
        dataKey="label"
        series={series.map((one) => ({ name: one.name, yAxisId: 'right', ...looks[one.as] }))}
        withYAxis={false}
        withRightYAxis
        withDots={false}
        withLegend
        legendProps={{ verticalAlign: 'top', align: 'left' }}
        curveType="linear"
        maxBarWidth={16}
        strokeDasharray="0"
        unit={unit}
        xAxisProps={{ interval: labelEvery - 1 }}
        rightYAxisProps={{ allowDecimals: unit !== '', width: 64 }}
        lineProps={({ color }) => ({ strokeWidth: color === 'slow' ? 3.5 : 2, isAnimationActive: false })}
        barProps={{ isAnimationActive: false }}
        referenceLines={notes.map(({ label, words }) => ({
          x: label,
          yAxisId: 'right',
          color: 'ink2',
          label: words,
          labelPosition: 'insideTopRight',
        }))}
        composedChartProps={{ barGap: '-100%', margin: { right: 0 } }}
      />
    </figure>
  )
}

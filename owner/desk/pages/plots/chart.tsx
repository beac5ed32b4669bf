import { CompositeChart, type CompositeChartSeries } from '@mantine/charts'
import '@mantine/charts/styles.css'
import { formatNumber } from '../format/format.ts'
import type { PlotProps, PlotSeries } from './plot.tsx'
import type { Scale } from './scale.ts'

interface ChartProps extends PlotProps {
  scale: Scale
}

const looks = {
  bars: { type: 'bar', color: 'ink2' },
  outline: { type: 'bar', color: 'rule' },
} satisfies Record<PlotSeries['look'], Omit<CompositeChartSeries, 'name'>>

/** Loaded apart from the views: with its library it is as large as the rest of the desk. */
export default function Chart({ name, labels, series, notes, scale }: ChartProps) {
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
      series={series.map((one) => ({ name: one.name, yAxisId: 'right', ...looks[one.look] }))}
      withYAxis={false}
      withRightYAxis
      withLegend
      legendProps={{ verticalAlign: 'top' }}
      maxBarWidth={16}
      strokeDasharray="0"
      xAxisProps={{ interval: 'equidistantPreserveStart', minTickGap: 20 }}
      rightYAxisProps={{
        scale: scale.kind === 'linear' ? 'linear' : 'symlog', // as the logarithm, with a place for 0
        domain: [0, scale.ticks.at(-1) ?? 'auto'],
        ticks: scale.ticks,
        tickFormatter: formatNumber,
        interval: 0,
        width: 64,
      }}
      barProps={{ isAnimationActive: false }}
      composedChartProps={{ barGap: '-100%' }}
      referenceLines={notes.map((note) => {
        return { ...note, yAxisId: 'right', color: 'ink2', labelPosition: 'insideTopRight' }
      })}
    />
  )
}

import { Space, Table } from '@mantine/core'
import { lazy, Suspense } from 'react'
import type { PlotProps } from './charts.tsx'
import { number } from '../format.ts'
import { Disclosure } from '../parts/parts.tsx'

const Chart = lazy(() => import('./charts.tsx'))

/**
 * A plot, and below it a table of the same figures, the newest first. `labelsColumn`: the heading
 * of its first column.
 */
export function Plot({ labelsColumn, ...plot }: PlotProps & { labelsColumn: string }) {
  const { labels, series } = plot
  const rows = labels.map((label, index) => [
    label,
    ...series.map((one) => number(one.values[index] ?? 0)),
  ])
  return (
    <>
      <Suspense fallback={<Space h={260} />}>
        <Chart {...plot} />
      </Suspense>
      <Disclosure words="All figures of this plot">
        <Table
          className="figures"
          data={{
            head: [labelsColumn, ...series.map(({ name }) => name)],
            body: rows.toReversed(),
          }}
        />
      </Disclosure>
    </>
  )
}

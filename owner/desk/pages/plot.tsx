import { Table } from '@mantine/core'
import { lazy, Suspense } from 'react'
import type { PlotProps } from './charts.tsx'
import { figure } from './format.ts'
import { Disclosure } from './parts.tsx'

const Chart = lazy(() => import('./charts.tsx'))

/** A plot, and below it a table of the same figures, the newest first. `labelsColumn`: the heading of its first column. */
export function Plot({ labelsColumn, ...plot }: PlotProps & { labelsColumn: string }) {
  const { labels, series, name } = plot
  return (
    <>
      <Suspense fallback={<div className="plot" />}>
        <Chart {...plot} />
      </Suspense>
      <Disclosure words="All figures of this plot">
        <Table className="figures" aria-label={name}>
          <Table.Thead>
            <Table.Tr>
              {[labelsColumn, ...series.map((one) => one.name)].map((column) => (
                <Table.Th key={column}>{column}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {labels
              .map((label, index) => (
                <Table.Tr key={label}>
                  <Table.Th scope="row">{label}</Table.Th>
                  {series.map((one) => (
                    <Table.Td key={one.name}>{figure(one.values[index] ?? 0)}</Table.Td>
                  ))}
                </Table.Tr>
              ))
              .toReversed()}
          </Table.Tbody>
        </Table>
      </Disclosure>
    </>
  )
}

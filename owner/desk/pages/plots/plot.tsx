import { Space, Table } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { formatNumber } from '../format/format.ts'
import { Disclosure } from '../parts/disclosure.tsx'
import { Soft } from '../parts/text.tsx'
import styles from './plot.module.css'
import { scaleFor } from './scale.ts'

const Chart = lazy(() => import('./chart.tsx'))

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

export interface PlotProps {
  /** For a screen reader: what the plot shows. */
  name: string
  /** Of the points, from the oldest. */
  labels: readonly string[]
  /** The heading of the labels in the table. */
  labelsColumn: string
  /** Each is drawn over the one before. */
  series: readonly PlotSeries[]
  /** Vertical lines with words. */
  notes: readonly PlotNote[]
}

/** A plot, and below it a table of the same figures, the newest first. */
export function Plot(plot: PlotProps) {
  const scale = scaleFor(plot.series.flatMap(({ values }) => values))
  return (
    <>
      <Suspense fallback={<Space h={260} />}>
        <Chart {...plot} scale={scale} />
      </Suspense>
      {scale.kind === 'logarithmic' && (
        <Soft>
          A day is far above the others. The scale is logarithmic, so that all can be read.
        </Soft>
      )}
      <Disclosure words="All figures of this plot">
        <Figures {...plot} />
      </Disclosure>
    </>
  )
}

function Figures({ labels, labelsColumn, series }: PlotProps) {
  return (
    <Table>
      <Table.Thead>
        <Table.Tr>
          <Table.Th className={styles.label}>{labelsColumn}</Table.Th>
          {series.map(({ name }) => (
            <Table.Th key={name} className={styles.figure}>
              {name}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {labels
          .map((label, index) => (
            <Table.Tr key={label}>
              <Table.Td className={styles.label}>{label}</Table.Td>
              {series.map(({ name, values }) => (
                <Table.Td key={name} className={styles.figure}>
                  {formatNumber(values[index] ?? 0)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))
          .toReversed()}
      </Table.Tbody>
    </Table>
  )
}

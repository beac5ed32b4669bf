import { Table } from '@mantine/core'
import { formatNumber } from '#owner/desk/views/format/format.ts'
import { Disclosure } from '#owner/desk/views/parts/disclosure.tsx'
import { Soft } from '#owner/desk/views/parts/text.tsx'
import { Chart, type Plotted } from './chart.tsx'
import styles from './plot.module.css'
import { scaleFor } from './scale.ts'

export interface PlotProps extends Plotted {
  /** The heading of the labels in the table. */
  labelsColumn: string
}

/** A plot, and below it a table of the same figures, the newest first. */
export function Plot(plot: PlotProps) {
  const scale = scaleFor(plot.series.flatMap(({ values }) => values))
  return (
    <>
      <Chart {...plot} scale={scale} />
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

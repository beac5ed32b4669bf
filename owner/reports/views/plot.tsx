import { Table } from '@mantine/core'
import { formatNumber } from '#owner/desk/views/format/format.ts'
import { Disclosure } from '#owner/desk/views/parts/disclosure.tsx'
import styles from './plot.module.css'

export interface PlotProps {
  /** The name for a screen reader. */
  name: string
  /** The heading of the labels in the table. */
  labelsColumn: string
  /** The label of each bar, from the oldest. */
  labels: readonly string[]
  series: PlotSeries
  /** The whole that each bar is a part of. */
  whole?: PlotSeries
}

interface PlotSeries {
  name: string
  values: readonly number[]
}

/** In px. In its first hours a site has few bars. */
const widestBar = 96

/** Bars with their numbers, and below them a table of the same figures, the newest first. */
export function Plot({ name, labelsColumn, labels, series, whole }: PlotProps) {
  const outer = (whole ?? series).values
  const highest = Math.max(1, ...outer)
  const middle = Math.floor((labels.length - 1) / 2)
  return (
    <>
      <div
        className={styles.plot}
        style={{ maxWidth: labels.length * widestBar }}
        role="img"
        aria-label={`${name}: the figures are in the table below`}
      >
        <div className={styles.bars} data-turned={turnedAt(series.values)}>
          {labels.map((label, index) => {
            const value = series.values[index] ?? 0
            return (
              <div key={label} className={styles.column} title={`${label}: ${formatNumber(value)}`}>
                <span className={styles.number}>{value > 0 && formatNumber(value)}</span>
                <span
                  className={whole ? `${styles.whole} ${styles.outline}` : styles.whole}
                  style={{ height: percent(outer[index] ?? 0, highest) }}
                >
                  <span
                    className={styles.bar}
                    style={{ height: percent(value, outer[index] ?? 0) }}
                  />
                </span>
              </div>
            )
          })}
        </div>
        <div className={styles.labels}>
          {[...new Set([0, middle, labels.length - 1])].map((index) => (
            <span key={index}>{labels[index]}</span>
          ))}
        </div>
      </div>
      <Disclosure words="All figures of this plot">
        <Figures
          labelsColumn={labelsColumn}
          labels={labels}
          series={whole ? [whole, series] : [series]}
        />
      </Disclosure>
    </>
  )
}

function percent(part: number, whole: number): string {
  return `${(100 * part) / Math.max(1, whole)}%`
}

const letterWidth = 7
const numberGap = 4

/** Says where numbers are turned, because they would be wider than their bar. */
function turnedAt(values: readonly number[]): 'always' | 'on-a-phone' | undefined {
  const longest = formatNumber(Math.max(0, ...values)).length
  const width = values.length * (longest * letterWidth + numberGap)
  if (width > 640) return 'always'
  return width > 340 ? 'on-a-phone' : undefined
}

function Figures({
  labels,
  labelsColumn,
  series,
}: Pick<PlotProps, 'labels' | 'labelsColumn'> & { series: readonly PlotSeries[] }) {
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

import { Progress, Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { Glyph, type Mark } from '../glyph.tsx'
import styles from './rows.module.css'
import { Note } from '../text.tsx'

export interface RowProps {
  /** Tells rows apart, if they can change their order. */
  id?: string | number
  mark?: Mark
  words: ReactNode
  note?: ReactNode
  /** Links and buttons that help. */
  actions?: ReactNode
  /** The length of a bar that hangs from the axis, like a volume profile. */
  share?: number
  /** A number, a time or a state, at the right edge. */
  axis?: ReactNode
}

/** One number a row, on the axis. */
export function Rows({ rows }: { rows: readonly RowProps[] }) {
  return (
    <ul className={styles.rows}>
      {rows.map((row, index) => (
        <Row key={row.id ?? index} {...row} />
      ))}
    </ul>
  )
}

function Row({ mark, words, note, actions, share, axis }: RowProps) {
  return (
    <li className={styles.row}>
      <div className={styles.words}>
        {mark && <Glyph mark={mark} />}
        {words}
        {note !== undefined && <Note>{note}</Note>}
      </div>
      {share !== undefined && (
        <Progress className={styles.bar} aria-hidden value={100 * share} styles={barStyles} />
      )}
      {actions && <div className={styles.actions}>{actions}</div>}
      {axis !== undefined && <div className={styles.axis}>{axis}</div>}
    </li>
  )
}

/** The bar hangs from the axis, at the right. */
const barStyles = { root: { justifyContent: 'flex-end' } }

/** In place of rows that are not known yet. */
export function LoadingRows({ count = 3 }: { count?: number }) {
  return (
    <ul className={styles.rows} aria-busy="true" aria-label="Loading">
      {Array.from({ length: count }, (_, index) => (
        <li key={index} className={styles.row}>
          <Skeleton animate={false} h={20} />
        </li>
      ))}
    </ul>
  )
}

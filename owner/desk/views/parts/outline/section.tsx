import { Group, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { type Loading, LoadFault } from '../fault.tsx'
import { type RowProps, Rows } from './rows.tsx'
import styles from './section.module.css'
import { Soft } from '../text.tsx'

export interface SectionProps {
  heading: string
  note?: ReactNode
  actions?: ReactNode
  query?: Loading
  /** Above the children. */
  rows?: readonly RowProps[] | undefined
  /** Shows the heading and the note also if there are no rows. */
  isKept?: boolean
  children?: ReactNode
}

/** Left out, if `rows` are all that it has and there are none. */
export function Section({
  heading,
  note,
  actions,
  query,
  rows,
  isKept = false,
  children,
}: SectionProps) {
  const isEmpty = rows?.length === 0 && !query && !children
  if (isEmpty && !isKept) return null
  return (
    <section aria-label={heading} className={styles.section}>
      <Group justify="space-between" mb="sm">
        <div>
          <Title order={2}>{heading}</Title>
          {note !== undefined && <Soft>{note}</Soft>}
        </div>
        {actions}
      </Group>
      <LoadFault query={query} />
      {rows && rows.length > 0 && <Rows rows={rows} />}
      {children}
    </section>
  )
}

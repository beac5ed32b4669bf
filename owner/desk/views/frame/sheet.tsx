import { Divider, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { Note } from '../parts/text.tsx'
import styles from './frame.module.css'

export function Sheet({ children }: { children: ReactNode }) {
  return <main className={styles.sheet}>{children}</main>
}

interface StateLineProps {
  /** The time of what is seen. Undefined: it is not known yet. */
  tag: string | undefined
  children?: ReactNode
}

/** The state of the product, and the time of what is seen. */
export function StateLine({ tag, children }: StateLineProps) {
  return (
    <Group gap={0} wrap="nowrap" mt="lg" mb="xl" mih={48}>
      {children}
      <Divider flex={1} variant="dashed" color="ink" />
      {tag !== undefined && (
        <Note bg="ink" c="paper" px="sm" py={6}>
          {tag}
        </Note>
      )}
    </Group>
  )
}

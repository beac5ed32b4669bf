import type { ReactNode } from 'react'
import styles from './disclosure.module.css'

interface DisclosureProps {
  words: string
  /** At first. */
  isOpen?: boolean
  children: ReactNode
}

/** A part that is not needed every day, behind a press. */
export function Disclosure({ words, isOpen = false, children }: DisclosureProps) {
  return (
    <details open={isOpen}>
      <summary className={styles.summary}>{words}</summary>
      {children}
    </details>
  )
}

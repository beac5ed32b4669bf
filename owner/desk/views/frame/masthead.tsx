import type { ReactNode } from 'react'
import { hrefOf } from '../navigation/location.ts'
import { useSiteName } from '../parts/site-name.ts'
import styles from './frame.module.css'

export function Masthead({ children }: { children?: ReactNode }) {
  const name = useSiteName()
  return (
    <nav aria-label="Desk" className={styles.masthead}>
      <a href={hrefOf('')} className={styles.link}>
        <svg viewBox="0 0 30 20" width="30" height="20" fill="none" aria-hidden="true">
          <path stroke="var(--slow)" strokeWidth="3.5" d="M1 5c10 0 15 9 28 9" />
          <path stroke="var(--fast)" strokeWidth="2" d="M1 18C14 18 16 2 29 2" />
        </svg>{' '}
        <strong>{name}</strong> <span className={styles.desk}>desk</span>
      </a>
      {children}
    </nav>
  )
}

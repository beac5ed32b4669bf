import type { ReactNode } from 'react'
import { hrefOf } from '../navigation/location.ts'
import { useSiteName } from '../parts/site-name.ts'
import styles from './frame.module.css'

export function Masthead({ children }: { children?: ReactNode }) {
  const name = useSiteName()
  return (
    <nav aria-label="Desk" className={styles.masthead}>
      <a href={hrefOf('')} className={styles.link}>
        <img src="/favicon.svg" width="24" height="24" alt="" className={styles.icon} />{' '}
        <strong>{name}</strong> <span className={styles.desk}>desk</span>
      </a>
      {children}
    </nav>
  )
}

import type { MouseEvent } from 'react'
import type { DeskPlace } from '#contract/desk-paths.ts'
import styles from './back-link.module.css'
import { goBackTo, hrefOf, isPlainPress } from './location.ts'

interface BackLinkProps {
  path: DeskPlace
  name: string
}

/** Leads to a view above this one, as it was left: with its filters and its page. */
export function BackLink({ path, name }: BackLinkProps) {
  const goBack = (event: MouseEvent) => {
    if (isPlainPress(event) && goBackTo(path)) event.preventDefault()
  }
  return (
    <p className={styles.back}>
      <a href={hrefOf(path)} onClick={goBack}>
        {name}
      </a>
    </p>
  )
}

import { SegmentedControl } from '@mantine/core'
import { type ReactNode, useRef, useState } from 'react'
import styles from './page.module.css'

interface SheetsProps {
  texts: ReactNode
  preview: ReactNode
}

const names = ['Texts', 'Preview'] as const

/**
 * Two columns where there is room. On a phone two sheets side by side, by swipe or by switch, and
 * each keeps its scroll position.
 */
export function Sheets({ texts, preview }: SheetsProps) {
  const box = useRef<HTMLDivElement>(null)
  const scrollTops = useRef([0, 0])
  const [shown, setShown] = useState(0)
  const show = (index: number) => {
    if (index === shown) return
    scrollTops.current[shown] = scrollY
    setShown(index)
    scrollTo({ top: scrollTops.current[index] ?? 0 })
  }
  return (
    <>
      <SegmentedControl
        className={styles.switch}
        aria-label="Sheet"
        fullWidth
        data={[...names]}
        value={shown === 0 ? 'Texts' : 'Preview'}
        onChange={(name) => {
          const index = names.indexOf(name)
          box.current?.scrollTo({ left: index * box.current.clientWidth })
          show(index)
        }}
      />
      <div
        ref={box}
        className={styles.sheets}
        onScroll={({ currentTarget, target }) => {
          if (target !== currentTarget) return
          show(Math.round(currentTarget.scrollLeft / currentTarget.clientWidth))
        }}
      >
        <div className={styles.texts}>{texts}</div>
        <div className={styles.preview}>{preview}</div>
      </div>
    </>
  )
}

import { SegmentedControl } from '@mantine/core'
import { type ReactNode, useRef } from 'react'
import styles from './page.module.css'

const sheets = ['Texts', 'Preview'] as const
export type Sheet = (typeof sheets)[number]

/** One sheet at a time is on the screen. */
export function isNarrow(): boolean {
  return matchMedia('(max-width: 68.74em)').matches
}

interface SheetsProps {
  texts: ReactNode
  preview: ReactNode
  /** The sheet that is shown where there is room for one. */
  shown: Sheet
  onShow(sheet: Sheet): void
}

/** Two columns where there is room, else one and a switch. */
export function Sheets({ texts, preview, shown, onShow }: SheetsProps) {
  const box = useRef<HTMLDivElement>(null)
  return (
    <div ref={box} className={styles.sheets}>
      <SegmentedControl
        className={styles.switch}
        aria-label="Sheet"
        fullWidth
        data={[...sheets]}
        value={shown}
        onChange={(sheet) => {
          onShow(sheet)
          if (sheet === 'Preview') box.current?.scrollIntoView()
        }}
      />
      <div className={styles.texts} data-shown={shown === 'Texts' || undefined}>
        {texts}
      </div>
      <div className={styles.preview} data-shown={shown === 'Preview' || undefined}>
        {preview}
      </div>
    </div>
  )
}

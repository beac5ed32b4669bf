import type { ReactNode } from 'react'
import styles from './choose-file-button.module.css'

interface ChooseFileButtonProps {
  name: string
  /** For the browser's own choice of files. */
  accept: string
  /** If the words alone do not tell which file. */
  'aria-label'?: string
  onChoose(chosen: File): void
  children: ReactNode
}

/** A button that lets the owner choose a file. */
export function ChooseFileButton({ onChoose, children, ...input }: ChooseFileButtonProps) {
  return (
    <label className={styles.choose}>
      <input
        type="file"
        {...input}
        onChange={({ currentTarget }) => {
          const [chosen] = currentTarget.files ?? []
          if (chosen) onChoose(chosen)
          currentTarget.value = ''
        }}
      />
      <span>{children}</span>
    </label>
  )
}

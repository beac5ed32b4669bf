import { Text, type TextProps } from '@mantine/core'
import type { ReactNode } from 'react'

interface WordsProps extends TextProps {
  children: ReactNode
}

/** A paragraph of less important words. */
export function Soft(props: WordsProps) {
  return <Text component="p" c="ink2" inherit {...props} />
}

/** Less important words within others. */
export function SoftWord(props: WordsProps) {
  return <Text component="span" c="ink2" inherit {...props} />
}

/** Small words in the type of figures, codes and times. */
export function Note(props: WordsProps) {
  return <Text component="div" c="ink2" ff="monospace" fz={13} lh="20px" {...props} />
}

/** A long address breaks after its @ first. No translator changes it. */
export function Breakable({ children }: { children: string }) {
  const [name, ...rest] = children.split(/(?<=@)/)
  return (
    <span translate={rest.length > 0 ? 'no' : undefined}>
      {name}
      <wbr />
      {rest.join('')}
    </span>
  )
}

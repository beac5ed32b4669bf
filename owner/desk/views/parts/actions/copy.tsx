import { useClipboard } from '@mantine/hooks'
import { LinkButton } from '../link-button.tsx'

interface CopyProps {
  text: string
  /** For a screen reader: what is copied. */
  label?: string
}

export function Copy({ text, label }: CopyProps) {
  const { copied, copy } = useClipboard({ timeout: 1_000 })
  return (
    <LinkButton onClick={() => copy(text)} aria-label={label}>
      {copied ? 'Copied' : 'Copy'}
    </LinkButton>
  )
}

import { Group } from '@mantine/core'
import { LinkButton } from '#owner/desk/views/parts/link-button.tsx'

interface PagesProps {
  /** The list begins below this number. 0: with the newest. */
  below: number
  /** The number of the last one shown. Undefined: there are no more. */
  last: number | undefined
  onPage: (below: number) => void
}

/** Leads through a list that begins with the newest. */
export function Pages({ below, last, onPage }: PagesProps) {
  if (below === 0 && last === undefined) return null
  return (
    <Group>
      {below > 0 && <LinkButton onClick={() => onPage(0)}>Newest</LinkButton>}
      {last !== undefined && <LinkButton onClick={() => onPage(last)}>Older</LinkButton>}
    </Group>
  )
}

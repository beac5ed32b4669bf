import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { LinkButton } from './link-button.tsx'
import { Glyph } from './glyph.tsx'

/** Says what went wrong; nothing, if nothing did. */
export function Fault({ children }: { children: ReactNode }) {
  if (!children) return null
  return (
    <Text component="div" c="down" role="alert">
      <Glyph mark="wrong" />
      {children}
    </Text>
  )
}

/** The data of a part, as a query has it. */
export interface Loading {
  error: unknown
  refetch: () => unknown
}

/** Above a part that did not load; what was there stays. */
export function LoadFault({ query }: { query: Loading | undefined }) {
  if (!query?.error) return null
  return (
    <Fault>
      This did not load. <LinkButton onClick={() => void query.refetch()}>Try again</LinkButton>
    </Fault>
  )
}

import { Group, SimpleGrid, Skeleton, Stack, Title, VisuallyHidden } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { type ReactNode, useEffect, useRef } from 'react'
import { type Loading, LoadFault } from '../fault.tsx'
import { useSiteName } from '../site-name.ts'
import { Breakable } from '../text.tsx'
import styles from './view.module.css'

export interface ViewProps {
  /** It is undefined until the data is known. */
  heading: string | undefined
  /** Above the heading. */
  back?: ReactNode
  note?: ReactNode
  actions?: ReactNode
  query?: Loading
  children?: ReactNode
}

/** The heading and what to do about it hang from the same height. The rest stands below. */
export function View({ heading, back, note, actions, query, children }: ViewProps) {
  const name = useSiteName()
  const title = useFocusOnce(heading !== undefined)
  useDocumentTitle(`${heading?.replace(/\.$/, '') ?? 'Loading'} · ${name} desk`)
  return (
    <>
      {back}
      <SimpleGrid>
        <Title ref={title} tabIndex={-1} className={styles.title} aria-busy={heading === undefined}>
          {heading === undefined ? <LoadingTitle /> : <Breakable>{heading}</Breakable>}
        </Title>
        <Stack>
          <div>{note}</div>
          {actions && <Group gap="xs">{actions}</Group>}
        </Stack>
      </SimpleGrid>
      <LoadFault query={query} />
      {children}
    </>
  )
}

function LoadingTitle() {
  return (
    <>
      <VisuallyHidden>Loading</VisuallyHidden>
      <Skeleton component="span" display="block" animate={false} h="1em" maw={420} />
    </>
  )
}

let isFirstView = true

/**
 * The focus makes a screen reader announce a new view once its heading is known. It reads the first
 * page without that.
 */
function useFocusOnce(isKnown: boolean) {
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (!isKnown) return
    if (!isFirstView && !document.activeElement?.matches('input')) {
      // The way back goes to where the view was left.
      title.current?.focus({ preventScroll: true })
    }
    isFirstView = false
  }, [isKnown])
  // It may be left before its heading is known.
  useEffect(() => () => void (isFirstView = false), [])
  return title
}

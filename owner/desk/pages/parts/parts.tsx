import { Anchor, Box, Group, Progress, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { type ComponentProps, type ReactNode, useEffect, useRef } from 'react'
import { brand } from '#content/brand.ts'

interface PartProps {
  heading: string
  note?: ReactNode
  actions?: ReactNode
  /** Its data. If reading fails, the former content stays. */
  query?: { error: unknown; refetch: () => unknown }
  children?: ReactNode
}

let isFirstView = true

/** Stands in place of what is not known yet. */
export const pending = '–'

/**
 * A view: heading and note hang from the same height, the rest stands below. `back`: above the
 * heading, the way back.
 */
export function View({
  heading,
  back,
  note,
  actions,
  query,
  children,
}: PartProps & { back?: ReactNode }) {
  const title = useRef<HTMLHeadingElement>(null)
  const isLoaded = heading !== pending
  useEffect(() => {
    // The focus makes a screen reader announce a new view once its heading is known. It reads the
    // first page without that.
    if (isLoaded && isFirstView) isFirstView = false
    else if (isLoaded && !document.activeElement?.matches('input')) title.current?.focus()
  }, [isLoaded])
  useDocumentTitle(`${heading.replace(/\.$/, '')} · ${brand.name} desk`)
  return (
    <>
      {back}
      <SimpleGrid>
        <Title ref={title} tabIndex={-1} style={{ outline: 'none' }}>
          {breakable(heading)}
        </Title>
        <Stack>
          <div>{note}</div>
          {actions && <Group gap="xs">{actions}</Group>}
        </Stack>
      </SimpleGrid>
      <LoadError query={query} />
      {children}
    </>
  )
}

/** Long addresses break after the @ first. */
export const breakable = (text: string) =>
  text.split(/(?<=@)/).flatMap((part) => [part, <wbr key={part} />])

const glyphs = {
  ok: { color: 'up', d: 'M2 2h18v18H2zM6.5 11l3.5 3.5 6-7' },
  wrong: { color: 'down', d: 'M11 1 21 11 11 21 1 11zM11 6.5V12M11 14v2' },
  look: { color: 'ink', d: 'M11 1 21 11 11 21 1 11z' },
  unknown: { color: 'ink', d: 'M2 2h18v18H2zM8 8.5c0-4 6-4 6 0 0 2-3 2-3 4.5M11 15v2' },
  left: { color: 'down', d: 'M4 5h14L11 18z' },
  came: { color: 'up', d: 'M4 17h14L11 4z' },
  dash: { color: 'ink', d: 'M7 11h8' },
}
type Mark = keyof typeof glyphs

/** Repeats by form what words say beside it. */
export function Glyph({ of }: { of: Mark }) {
  const { color, d } = glyphs[of]
  return (
    <Box component="svg" viewBox="0 0 22 22" w={20} h={20} mr={8} mb={-4} aria-hidden="true">
      <path
        d={d}
        fill={of === 'left' || of === 'came' ? `var(--${color})` : 'none'}
        stroke={`var(--${color})`}
        strokeWidth={2}
      />
    </Box>
  )
}

export function Disclosure({ words, children }: { words: string; children: ReactNode }) {
  return (
    <details>
      <summary>{words}</summary>
      {children}
    </details>
  )
}

interface SectionProps extends PartProps {
  /** Above the children. */
  rows?: readonly RowProps[] | undefined
}

/** Left out, if `rows` are all that it has and there are none. */
export function Section({ heading, note, actions, query, rows, children }: SectionProps) {
  if (rows?.length === 0 && !query && !children) return null
  return (
    <section aria-label={heading}>
      <Group justify="space-between" mb="sm">
        <div>
          <Title order={2}>{heading}</Title>
          {note !== undefined && <p className="soft">{note}</p>}
        </div>
        {actions}
      </Group>
      <LoadError query={query} />
      {rows && rows.length > 0 && <Rows rows={rows} />}
      {children}
    </section>
  )
}

export interface RowProps {
  mark?: Mark
  words: ReactNode
  note?: ReactNode
  /** Links and buttons that help. */
  acts?: ReactNode
  /** The length of a bar that hangs from the axis, like a volume profile. */
  share?: number
  /** A number, a time or a state, at the right edge. */
  axis?: ReactNode
}

/** One number a row, on the axis. */
export function Rows({ rows }: { rows: readonly RowProps[] }) {
  const hasBars = rows.some(({ share }) => share !== undefined)
  const body = rows.map(({ mark, words, note, acts, share, axis }) => [
    <>
      {mark && <Glyph of={mark} />}
      {words}
      {note !== undefined && <div className="note">{note}</div>}
    </>,
    ...(hasBars
      ? [share !== undefined && <Progress key="bar" aria-hidden value={100 * share} />]
      : []),
    ...(acts === undefined ? [] : [acts]),
    axis,
  ])
  return <Table className="on-axis" data={{ body }} />
}

/** Above a part that did not load; what was there stays. */
function LoadError({ query }: { query: PartProps['query'] }) {
  if (!query?.error) return null
  return (
    <Fault>
      This did not load. <LinkButton onClick={() => void query.refetch()}>Try again</LinkButton>
    </Fault>
  )
}

export function Fault({ children }: { children: ReactNode }) {
  if (!children) return null
  return (
    <Text c="down" role="alert">
      <Glyph of="wrong" />
      {children}
    </Text>
  )
}

/** A button that looks like a link. */
export function LinkButton(props: ComponentProps<typeof Anchor<'button'>>) {
  return <Anchor component="button" type="button" mih={44} ta="left" {...props} />
}

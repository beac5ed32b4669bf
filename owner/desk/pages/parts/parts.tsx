import { Button, type ButtonProps, Progress, Table, VisuallyHidden } from '@mantine/core'
import { type ComponentProps, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { brand } from '#content/brand.ts'

interface ViewProps {
  heading: string
  /** Above the heading, the way back. */
  back?: ReactNode
  sentence?: ReactNode
  actions?: ReactNode
  /** The data of the view. If reading fails, the former content stays. */
  query?: LoadState
  children?: ReactNode
}

let isFirstView = true

/** Stands in place of what is not known yet. */
export const pending = '–'

/** A view: heading and sentence hang from the same height, the rest stands below. */
export function View({ heading, back, sentence, actions, query, children }: ViewProps) {
  const title = useRef<HTMLHeadingElement>(null)
  const isLoaded = heading !== pending
  useEffect(() => {
    // The focus makes a screen reader announce a new view once its heading is known. It reads the first page without that.
    if (isLoaded && isFirstView) isFirstView = false
    else if (isLoaded && !document.activeElement?.matches('input')) title.current?.focus()
  }, [isLoaded])
  useEffect(() => {
    document.title = `${heading.replace(/\.$/, '')} · ${brand.name} desk`
  }, [heading])
  return (
    <>
      {back}
      <div className="view-head">
        <h1 ref={title} tabIndex={-1} className={heading.includes('@') ? 'address' : ''}>
          {heading}
        </h1>
        <div>
          {sentence}
          {actions && <div className="actions">{actions}</div>}
        </div>
      </div>
      {query && <LoadError of={query} />}
      {children}
    </>
  )
}

const glyphPaths = {
  ok: 'M2 2h18v18H2zM6.5 11l3.5 3.5 6-7',
  wrong: 'M11 1 21 11 11 21 1 11zM11 6.5V12M11 14v2',
  look: 'M11 1 21 11 11 21 1 11z',
  unknown: 'M2 2h18v18H2zM8 8.5c0-4 6-4 6 0 0 2-3 2-3 4.5M11 15v2',
  left: 'M4 5h14L11 18z',
  came: 'M4 17h14L11 4z',
  dash: 'M7 11h8',
}
export type Mark = keyof typeof glyphPaths

/** Repeats by form what words say beside it. */
export function Glyph({ of }: { of: Mark }) {
  return (
    <svg className={`glyph glyph-${of}`} viewBox="0 0 22 22" aria-hidden="true">
      <path d={glyphPaths[of]} />
    </svg>
  )
}

/** Renders its content only when it is opened. */
export function Disclosure({ words, children }: { words: string; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{words}</summary>
      {isOpen && children}
    </details>
  )
}

interface SectionProps {
  heading: string
  note?: ReactNode
  actions?: ReactNode
  /** The data of the section. If reading fails, the former content stays. */
  query?: LoadState
  rows?: readonly RowProps[] | undefined
  /** Below the rows. */
  children?: ReactNode
}

export function Section({ heading, note, actions, query, rows, children }: SectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <div className="part-head">
        <div>
          <h2 id={id}>{heading}</h2>
          {note !== undefined && <p className="soft">{note}</p>}
        </div>
        {actions}
      </div>
      {query && <LoadError of={query} />}
      {rows && rows.length > 0 && <Rows rows={rows} />}
      {children}
    </section>
  )
}

export interface RowProps {
  /** Tells rows apart that come and go. */
  id?: string | number
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
  return (
    <Table className="rows">
      <Table.Tbody>
        {rows.map(({ id, mark, words, note, acts, share, axis }, index) => (
          <Table.Tr key={id ?? index}>
            <Table.Td>
              {mark && <Glyph of={mark} />}
              {words}
              {note !== undefined && <div className="note">{note}</div>}
            </Table.Td>
            {hasBars && (
              <Table.Td w="35%">
                {share !== undefined && <Progress aria-hidden value={100 * share} color="ink2" />}
              </Table.Td>
            )}
            {acts !== undefined && <Table.Td ta="right">{acts}</Table.Td>}
            <Table.Td className="on-axis">{axis}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

interface LoadState {
  error: unknown
  refetch: () => unknown
}

/** Above a part that did not load; what was there stays. */
export function LoadError({ of }: { of: LoadState }) {
  if (!of.error) return null
  return (
    <Fault>
      This did not load. <LinkButton onClick={() => void of.refetch()}>Try again</LinkButton>
    </Fault>
  )
}

export function Fault({ children }: { children: ReactNode }) {
  if (!children) return null
  return (
    <p className="fault" role="alert">
      <Glyph of="wrong" />
      {children}
    </p>
  )
}

export const linkLook = { variant: 'transparent', className: 'link-button' } satisfies ButtonProps

/** A button that looks like a link. */
export function LinkButton(props: ComponentProps<typeof Button<'button'>>) {
  return <Button {...linkLook} {...props} />
}

export const Unseen = VisuallyHidden

import { Button, SegmentedControl } from '@mantine/core'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { brand } from '#content/brand.ts'

interface ViewProps {
  heading: string
  /** Above the heading, the way back. */
  back?: ReactNode
  sentence?: ReactNode
  actions?: ReactNode
  isAddress?: boolean
  /** The data of the view. If reading fails, the former content stays. */
  query?: LoadState | undefined
  children?: ReactNode
  foot?: string | undefined
}

let isFirstView = true

/** Stands in place of what is not known yet. */
export const pending = '–'
/** The last lines of a view. */
export const askedAgain = 'The page asks again every minute while it is open.'
export const localTimes = 'Times are those of this browser.'

/** A view: heading and sentence hang from the same height, the rest stands below. */
export function View({ heading, back, sentence, actions, isAddress, query, children, foot }: ViewProps) {
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
        <h1 ref={title} tabIndex={-1} className={isAddress ? 'address-heading' : ''}>
          {isAddress ? <Address>{heading}</Address> : heading}
        </h1>
        <div>
          {sentence !== undefined && <div className="sentence">{sentence}</div>}
          {actions && <div className="actions">{actions}</div>}
        </div>
      </div>
      {query && <LoadError of={query} />}
      {children}
      {foot !== undefined && <p className="foot soft">{foot}</p>}
    </>
  )
}

/** Breaks after the @ first. */
export function Address({ children }: { children: string }) {
  const at = children.lastIndexOf('@') + 1
  return (
    <span className="address">
      {children.slice(0, at)}
      <wbr />
      {children.slice(at)}
    </span>
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

interface SwitchProps<Value extends string> {
  label: string
  value: Value
  options: Record<Value, string>
  onChoose: (value: Value) => void
}

/** One of a few, moved by the arrow keys. */
export function Switch<Value extends string>({ label, value, options, onChoose }: SwitchProps<Value>) {
  return (
    <SegmentedControl
      aria-label={label}
      value={value}
      data={Object.entries<string>(options).map(([id, words]) => ({ value: id, label: words }))}
      onChange={(chosen) => onChoose(chosen as Value)} // a key of the options
    />
  )
}

/** Renders its content only when it is opened. */
export function Disclosure({ words, children }: { words: string; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="fold" onToggle={(event) => setOpen(event.currentTarget.open)}>
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
    <section className="part" aria-labelledby={id}>
      <div className="part-head">
        <div>
          <h2 id={id}>{heading}</h2>
          {note !== undefined && <p className="soft">{note}</p>}
        </div>
        {actions}
      </div>
      {query && <LoadError of={query} />}
      {rows && <Rows rows={rows} />}
      {children}
    </section>
  )
}

interface RowProps {
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
  /** The row is a toggle. */
  isOn?: boolean
  onToggle?: () => void
}

/** One number a row, on the axis. */
export function Rows({ rows }: { rows: readonly RowProps[] }) {
  return (
    <ul className="rows">
      {rows.map(({ id, isOn, onToggle, ...row }, index) => (
        <li key={id ?? index}>
          {onToggle ? (
            <button type="button" className="row" aria-pressed={isOn} onClick={onToggle}>
              <Cells {...row} />
            </button>
          ) : (
            <div className="row">
              <Cells {...row} />
            </div>
          )}
        </li>
      ))}
    </ul>
  )
}

/** Between cells, which a screen reader would read as one word. */
export const pause = <span className="unseen">, </span>

function Cells({ mark, words, note, acts, share, axis }: RowProps) {
  return (
    <>
      {mark && <Glyph of={mark} />}
      <span className="row-words">
        <span>{words}</span>
        {note !== undefined && (
          <span className="note">
            {pause}
            {note}
          </span>
        )}
        {acts}
      </span>
      {share !== undefined && (
        <span className="bar">
          <span style={{ width: `${100 * Math.min(1, share)}%` }} />
        </span>
      )}
      <span className="on-axis">
        {pause}
        {axis}
      </span>
    </>
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
    <div className="load-error" role="alert">
      <Glyph of="wrong" />
      This did not load.
      <LinkButton onClick={() => void of.refetch()}>Try again</LinkButton>
    </div>
  )
}

/** A button that looks like a link. */
export function LinkButton(props: Parameters<typeof Button<'button'>>[0]) {
  return <Button variant="transparent" className="link-button" {...props} />
}

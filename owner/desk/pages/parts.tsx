import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Button as AriaButton, ToggleButton, ToggleButtonGroup } from 'react-aria-components'
import { Link } from 'react-router'
import { brand } from '#content/brand.ts'
import { AlertDiamond, TickedSquare } from '#pages/ui/glyphs.tsx'

interface ViewProps {
  heading: string
  /** Above the heading, the way back. */
  back?: { to: string; words: string }
  sentence?: ReactNode
  actions?: ReactNode
  isAddress?: boolean
  /** The data of the view. If reading fails, the former content stays. */
  query?: LoadState | undefined
  children?: ReactNode
  foot?: string | undefined
}

let isFirstView = true

/** The last line of a view. */
export const askedAgain = 'The page asks again every minute while it is open.'
export const localTimes = 'Times are those of this browser.'

/** A view: heading and sentence hang from the same height, the rest stands below. */
export function View({ heading, back, sentence, actions, isAddress, query, children, foot }: ViewProps) {
  const title = useRef<HTMLHeadingElement>(null)
  const isLoaded = heading !== '–'
  /** The first heading is read by the focus, later ones as they change. */
  const [known, setKnown] = useState({ heading, isLive: false })
  if (known.heading !== heading) setKnown({ heading, isLive: known.heading !== '–' })
  useEffect(() => {
    // The focus makes a screen reader announce a new view once its heading is known. It reads the first page without that.
    // The field for a code keeps the focus.
    if (isLoaded && isFirstView) isFirstView = false
    else if (isLoaded && !document.activeElement?.matches('input')) title.current?.focus()
  }, [isLoaded])
  useEffect(() => {
    document.title = `${heading.replace(/\.$/, '')} · ${brand.name} desk`
  }, [heading])
  return (
    <>
      {back && (
        <p className="back">
          <Link to={back.to}>{back.words}</Link>
        </p>
      )}
      <div className="view-head">
        <h1
          ref={title}
          tabIndex={-1}
          aria-live={known.isLive ? 'polite' : 'off'}
          className={isAddress ? 'address-heading' : ''}
        >
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

export interface ButtonProps {
  children: ReactNode
  /** Without it the button opens the dialog of its DialogTrigger. */
  onPress?: () => unknown
  kind?: 'main' | 'plain' | 'link'
  type?: 'submit'
  isBusy?: boolean
  isDisabled?: boolean
  /** Says more than the words, to a screen reader. */
  label?: string
}

export function Button({ onPress, kind = 'plain', isBusy, isDisabled, label, ...rest }: ButtonProps) {
  return (
    <AriaButton
      {...rest}
      className={kind === 'main' ? (isBusy ? 'button' : 'button still') : `${kind}-button`}
      isDisabled={isBusy || isDisabled || false}
      {...(label !== undefined && { 'aria-label': label })}
      onPress={() => void onPress?.()}
    />
  )
}

const glyphPaths = {
  look: 'M11 1 21 11 11 21 1 11z',
  unknown: 'M2 2h18v18H2zM8 8.5c0-4 6-4 6 0 0 2-3 2-3 4.5M11 15v2',
  left: 'M4 5h14L11 18z',
  came: 'M4 17h14L11 4z',
  dash: 'M7 11h8',
  fold: 'm7 5 6 6-6 6',
}
export type Mark = 'ok' | 'wrong' | keyof typeof glyphPaths

/** Repeats by form what words say beside it. */
export function Glyph({ of }: { of: Mark }) {
  if (of === 'ok') return <TickedSquare />
  if (of === 'wrong') return <AlertDiamond />
  return (
    <svg className={`glyph glyph-${of}`} viewBox="0 0 22 22" aria-hidden="true">
      <path d={glyphPaths[of]} />
    </svg>
  )
}

interface ChoiceProps<Value extends string> {
  label: string
  value: Value
  options: readonly (readonly [value: Value, words: ReactNode])[]
  onChoose: (value: Value) => void
}

/** One of a few, moved by the arrow keys. */
export function Switch<Value extends string>({ label, value, options, onChoose }: ChoiceProps<Value>) {
  return (
    <ToggleButtonGroup
      className="switch"
      aria-label={label}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[value]}
      onSelectionChange={([key]) => onChoose(key as Value)} // the id of one of the buttons
    >
      {options.map(([one, words]) => (
        <ToggleButton key={one} id={one}>
          {words}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  )
}

/** A list of the browser's own: the best there is under a thumb. */
export function Choice<Value extends string>({ label, value, options, onChoose }: ChoiceProps<Value>) {
  return (
    <label className="box">
      <span className="note">{label}</span>
      {/* Its value is one of the options. */}
      <select value={value} onChange={(event) => onChoose(event.target.value as Value)}>
        {options.map(([one, words]) => (
          <option key={one} value={one}>
            {words}
          </option>
        ))}
      </select>
    </label>
  )
}

/** Renders its content only when it is opened. */
export function Disclosure({ words, children }: { words: string; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="fold" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Glyph of="fold" />
        <span className="fold-words">{words}</span>
      </summary>
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
  className?: string
}

export function Section({ heading, note, actions, query, rows, children, className = '' }: SectionProps) {
  const id = useId()
  return (
    <section className={`part ${className}`} aria-labelledby={id}>
      <div className="part-head">
        <div>
          <h2 id={id}>{heading}</h2>
          {note !== undefined && <p className="soft part-note">{note}</p>}
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
  axis: ReactNode
  /** The row is a toggle. */
  isOn?: boolean
  onToggle?: () => void
}

/** One number a row, on the axis. */
export function Rows({ rows }: { rows: readonly RowProps[] }) {
  const isProfile = rows.some(({ share }) => share !== undefined)
  return (
    <ul className={isProfile ? 'rows profile' : 'rows'}>
      {rows.map(({ id, isOn, onToggle, ...row }, index) =>
        onToggle ? (
          <li key={id ?? index}>
            <button type="button" className="row-line" aria-pressed={isOn} onClick={onToggle}>
              <Cells {...row} />
            </button>
          </li>
        ) : (
          <li className={row.mark ? 'row-line marked' : 'row-line'} key={id ?? index}>
            <Cells {...row} />
          </li>
        ),
      )}
    </ul>
  )
}

/** Between cells, which a screen reader would read as one word. */
export const pause = <span className="unseen">, </span>

function Cells({ mark, words, note, acts, share = 0, axis }: RowProps) {
  const width = 100 * Math.min(1, share)
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
      {width > 0 && (
        <svg className="bar" preserveAspectRatio="none" viewBox="0 0 100 1" aria-hidden="true">
          <rect x={100 - width} width={width} height="1" />
        </svg>
      )}
      <span className="on-axis">
        {pause}
        {axis}
      </span>
    </>
  )
}

interface LoadState {
  error: Error | null
  refetch: () => unknown
}

/** Above a part that did not load; what was there stays. */
export function LoadError({ of }: { of: LoadState }) {
  if (!of.error) return null
  return (
    <p className="load-error" role="alert">
      <AlertDiamond />
      This did not load.{' '}
      <Button kind="link" onPress={of.refetch}>
        Try again
      </Button>
    </p>
  )
}

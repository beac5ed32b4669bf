import { type ReactNode, useEffect, useId, useRef, useState, useSyncExternalStore } from 'react'
import { ToggleButton, ToggleButtonGroup } from 'react-aria-components'
import { Link } from 'react-router'
import { brand } from '#content/brand.ts'
import { deskText } from '#content/desk.ts'
import { AlertDiamond, TickedSquare } from '#pages/ui/glyphs.tsx'

interface ViewProps {
  heading: string
  /** Above the heading, the way back. */
  back?: { to: string; words: string }
  sentence?: ReactNode
  actions?: ReactNode
  isAddress?: boolean
  children?: ReactNode
}

let viewsShown = 0

/** A view: heading and sentence hang from the same height, the rest stands below. */
export function View({ heading, back, sentence, actions, isAddress = false, children }: ViewProps) {
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    // After the first view, a screen reader is told that the view has changed.
    if (viewsShown++ > 0) title.current?.focus()
  }, [])
  useEffect(() => {
    document.title = deskText.title(heading, brand.name)
  }, [heading])
  return (
    <>
      {back && (
        <p className="back">
          <Link to={back.to}>{back.words}</Link>
        </p>
      )}
      <div className="view-head">
        <h1 ref={title} tabIndex={-1} className={isAddress ? 'address-heading' : ''}>
          {isAddress ? <Address>{heading}</Address> : heading}
        </h1>
        <div className="view-say">
          {sentence !== undefined && <div className="sentence">{sentence}</div>}
          {actions && <div className="actions">{actions}</div>}
        </div>
      </div>
      {children}
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

interface ButtonProps {
  children: ReactNode
  onPress: () => unknown
  kind?: 'main' | 'plain' | 'link'
  busy?: boolean
  disabled?: boolean
  label?: string
}

export function Button({
  children,
  onPress,
  kind = 'plain',
  busy = false,
  disabled = false,
  label,
}: ButtonProps) {
  return (
    <button
      type="button"
      className={kind === 'main' ? (busy ? 'button' : 'button still') : `${kind}-button`}
      disabled={busy || disabled}
      aria-label={label}
      onClick={() => void onPress()}
    >
      {children}
    </button>
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

interface SwitchProps<Choice extends string> {
  name: string
  choices: readonly { id: Choice; words: string; count?: string | undefined }[]
  chosen: Choice
  onChoose: (choice: Choice) => void
}

/** One of a few, moved by the arrow keys. */
export function Switch<Choice extends string>({ name, choices, chosen, onChoose }: SwitchProps<Choice>) {
  return (
    <ToggleButtonGroup
      className="switch"
      aria-label={name}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[chosen]}
      onSelectionChange={(keys) => {
        const found = choices.find(({ id }) => keys.has(id))
        if (found) onChoose(found.id)
      }}
    >
      {choices.map(({ id, words, count }) => (
        <ToggleButton key={id} id={id}>
          {words}
          {count !== undefined && <span className="count"> {count}</span>}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
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
  children: ReactNode
  className?: string
}

export function Section({ heading, note, actions, children, className = '' }: SectionProps) {
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
      {children}
    </section>
  )
}

export interface LoadState {
  error: Error | null
  refetch: () => unknown
}

/** Above a part that did not load; what was there stays. */
export function LoadFault({ of }: { of: LoadState }) {
  if (!of.error) return null
  return (
    <p className="load-fault" role="alert">
      <AlertDiamond />
      {deskText.notLoaded}{' '}
      <Button kind="link" onPress={of.refetch}>
        {deskText.tryAgain}
      </Button>
    </p>
  )
}

const remembered = new Map<string, unknown>()
const rememberers = new Set<() => void>()

/** A value that outlives its view, in memory only: what is typed stands in no URL. */
export function useRemembered<Value>(key: string, initial: Value): [Value, (value: Value) => void] {
  const read = () => (remembered.has(key) ? (remembered.get(key) as Value) : initial) // each key has one type
  const set = (value: Value) => {
    remembered.set(key, value)
    for (const note of rememberers) note()
  }
  return [useSyncExternalStore(subscribeToRemembered, read), set]
}

function subscribeToRemembered(note: () => void): () => void {
  rememberers.add(note)
  return () => rememberers.delete(note)
}

/** The time, every 5 s. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 5_000)
    return () => clearInterval(timer)
  }, [])
  return now
}

interface ChoiceProps {
  label: string
  value: string
  options: readonly (readonly [value: string, words: string])[]
  onChoose: (value: string) => void
}

/** A list of the browser's own: the best there is under a thumb. */
export function Choice({ label, value, options, onChoose }: ChoiceProps) {
  return (
    <label className="box">
      <span className="note">{label}</span>
      <select value={value} onChange={(event) => onChoose(event.target.value)}>
        {options.map(([one, words]) => (
          <option key={one} value={one}>
            {words}
          </option>
        ))}
      </select>
    </label>
  )
}

/** Marks, words and a time on the axis. */
export function AxisRow({
  mark,
  children,
  axis,
}: {
  mark?: Mark | undefined
  children: ReactNode
  axis: ReactNode
}) {
  return (
    <li className={mark ? 'row-line marked' : 'row-line'}>
      {mark && <Glyph of={mark} />}
      <div className="row-words">{children}</div>
      <span className="on-axis">{axis}</span>
    </li>
  )
}

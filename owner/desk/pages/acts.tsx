import type { DeskApi, SentTo } from '../contract.ts'
import { call, hasCode, refresh, remember, useRemembered, useToday } from './api.ts'
import { Button, type ButtonProps, Glyph } from './parts.tsx'

interface Toast {
  words: string
  /** Runs when the toast's time is over, unless the owner presses Undo. */
  act?: () => unknown
  /** The default is 10. */
  waitSeconds?: number | undefined
}

const staysMs = 6_000

/** The act of the toast on the screen. */
let pending: Toast['act']
let timer: ReturnType<typeof setTimeout> | undefined

function runPending(): void {
  const due = pending
  pending = undefined
  void due?.()
}

// A page that is left does at once what it was asked to do.
addEventListener('pagehide', runPending)

export function showToast(toast: Toast): void {
  clearTimeout(timer)
  runPending()
  pending = toast.act
  remember('toast', toast)
  timer = setTimeout(end, toast.act ? (toast.waitSeconds ?? 10) * 1000 : staysMs)
}

function end(): void {
  runPending()
  remember('toast', undefined)
}

function undo(): void {
  pending = undefined
  showToast({ words: 'Taken back.' })
}

export function Toasts() {
  const [toast] = useRemembered<Toast | undefined>('toast', undefined)
  return (
    // React Aria hides everything else from a screen reader while a dialog is open.
    <div className="toasts" aria-live="polite" data-live-announcer>
      {toast && (
        <div className="toast desk-toast">
          <Glyph of="ok" />
          <p className="toast-title">{toast.words}</p>
          {toast.act && (
            <Button kind="link" onPress={undo}>
              Undo
            </Button>
          )}
        </div>
      )}
    </div>
  )
}

interface ActOptions {
  /** The number of a person. */
  id?: number
  /** Shown once it is done. */
  done?: string
  /** Shown before it is done, with a button that takes it back. */
  announced?: string
  waitSeconds?: number
}

/** Writes, says what came of it, and brings the screen up to date. */
export async function act<Name extends keyof DeskApi>(
  name: Name,
  sent: SentTo<Name>,
  options: ActOptions = {},
) {
  const { id, done, announced, waitSeconds } = options
  const write = async () => {
    try {
      await call(name, sent, id)
      if (done !== undefined) showToast({ words: done })
    } catch (error) {
      showToast({ words: messageOf(error) })
    }
    await refresh()
  }
  if (announced === undefined) await write()
  else showToast({ words: announced, act: write, waitSeconds })
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Returns why nothing can be changed now; undefined: it can. */
export function useNoWrites(): string | undefined {
  const isAway = hasCode(useToday().error, 'database-away')
  return isAway ? 'The database does not answer: nothing can be changed now.' : undefined
}

export function ActButton({ isDisabled = false, ...props }: ButtonProps) {
  const noWrites = useNoWrites()
  return <Button {...props} isDisabled={isDisabled || noWrites !== undefined} />
}

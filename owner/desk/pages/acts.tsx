import type { DeskApi, SentTo } from '../contract.ts'
import { call, hasCode, refresh, remember, useRemembered, useToday } from './api.ts'
import { Button, type ButtonProps, Glyph } from './parts.tsx'

interface Toast {
  words: string
  /** Runs when the toast's time is over, unless the owner presses Undo. */
  act?: () => unknown
  /** The default is 10. */
  waitSeconds?: number | undefined
  /** A toast takes the place of one with the same key, whose act is then dropped. */
  key?: string | undefined
}

const staysMs = 6_000

let toasts: readonly Toast[] = []

function show(next: readonly Toast[]): void {
  toasts = next
  remember('toasts', toasts)
}

// A page that is left does at once what it was asked to do.
addEventListener('pagehide', () => toasts.forEach(end))

/** Replaces a toast that has no act. Those that can still be undone stay, and keep their time. */
export function showToast(toast: Toast): void {
  show([...toasts.filter((one) => one.act && one.key !== toast.key), toast])
  setTimeout(end, toast.act ? (toast.waitSeconds ?? 10) * 1000 : staysMs, toast)
}

/** Acts, unless it was undone or replaced. */
function end(toast: Toast): void {
  if (!toasts.includes(toast)) return
  show(toasts.filter((one) => one !== toast))
  void toast.act?.()
}

export function Toasts() {
  const [shown] = useRemembered('toasts', toasts)
  return (
    // React Aria hides everything else from a screen reader while a dialog is open.
    <div className="toasts" aria-live="polite" data-live-announcer>
      {shown.map((toast) => (
        <div className="toast desk-toast" key={toast.key ?? toast.words}>
          <Glyph of="ok" />
          <p className="toast-title">{toast.words}</p>
          {toast.act && (
            <Button kind="link" onPress={() => showToast({ words: 'Taken back.', key: toast.key })}>
              Undo
            </Button>
          )}
        </div>
      ))}
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
  else
    showToast({ words: announced, act: write, waitSeconds, key: `${name} ${id ?? Object.values(sent)[0]}` })
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

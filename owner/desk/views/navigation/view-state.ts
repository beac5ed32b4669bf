import { navigate, useHistoryState } from 'wouter/use-browser-location'

/**
 * The owner's choices in a view, such as filters. They are kept with the entry of the browser's
 * history: over a reload, and on the way back. None of them stands in the address, so no address of
 * a person gets into a URL.
 */
export function useViewState<State extends object>(
  initial: State,
): [State, (changed: Partial<State>) => void] {
  const entryState = useHistoryState<unknown>()
  const change = (changed: Partial<State>) => {
    // The entry may have changed since this was drawn, and holds the choices of other parts too.
    const newest: object = Object(history.state)
    const state = { ...newest, ...withKept(initial, newest), ...changed }
    navigate(location.href, { replace: true, state })
  }
  return [withKept(initial, entryState), change]
}

/** Another version of the desk may have kept other fields: only those of the same type count. */
function withKept<State extends object>(initial: State, entryState: unknown): State {
  const kept: Record<string, unknown> = Object(entryState) // empty without a state
  const entries = Object.entries(initial).map(([name, value]): [string, unknown] => {
    const isSameType = typeof kept[name] === typeof value
    return [name, isSameType ? kept[name] : value]
  })
  return Object.fromEntries(entries) as State // the fields of `initial`, with their types
}

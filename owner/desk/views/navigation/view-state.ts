import { useSyncExternalStore } from 'react'
import { replaceEntryState, subscribe } from './location.ts'

/**
 * The owner's choices in a view, such as filters. They are kept with the entry of the browser's
 * history: over a reload, and on the way back. None of them stands in the address, so no address of
 * a person gets into a URL.
 */
export function useViewState<State extends object>(
  initial: State,
): [State, (changed: Partial<State>) => void] {
  const entryState = useSyncExternalStore(subscribe, readEntryState)
  const change = (changed: Partial<State>) => {
    // The entry may have changed since this was drawn, and holds the choices of other parts too.
    const newest: object = Object(readEntryState())
    replaceEntryState({ ...newest, ...withKept(initial, newest), ...changed })
  }
  return [withKept(initial, entryState), change]
}

function readEntryState(): unknown {
  return history.state
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

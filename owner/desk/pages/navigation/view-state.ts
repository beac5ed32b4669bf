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
  const kept = useSyncExternalStore(subscribe, readEntryState)
  const state = withKept(initial, kept)
  const change = (changed: Partial<State>) => {
    const ofOtherParts: object = Object(readEntryState())
    const known = withKept(initial, readEntryState())
    replaceEntryState({ ...ofOtherParts, ...known, ...changed })
  }
  return [state, change]
}

function readEntryState(): unknown {
  return history.state
}

/** Another version of the desk may have kept other fields: only those of the same type count. */
function withKept<State extends object>(initial: State, kept: unknown): State {
  const known: Record<string, unknown> = Object(kept)
  const entries = Object.entries(initial).map(([name, value]): [string, unknown] => {
    const isSame = typeof known[name] === typeof value
    return [name, isSame ? known[name] : value]
  })
  return Object.fromEntries(entries) as State // the fields of `initial`, with their types
}

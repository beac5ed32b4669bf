import { useDebouncedCallback, useWindowEvent } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { errorMessage } from '#owner/desk/views/api/errors.ts'
import { type RouterInputs, type RouterOutputs, useTRPC } from '#owner/desk/views/api/trpc.ts'

export type Letter = RouterOutputs['mailings']['one']
/** The fields that were changed. */
export type Changes = Partial<Pick<Letter, keyof RouterInputs['mailings']['save']['changes']>>

const saveAfterMs = 300
const outliving = { context: { outlivesPage: true } }

/** What is typed and not saved yet outlives a reload of this tab. */
const storageOf = (id: number) => `desk-letter-${id}`

export interface OpenLetter {
  /** As it is typed. */
  letter: Letter
  change: (changes: Changes) => void
  status: 'Saved' | 'Saving …' | 'Not saved yet'
  /** Why it is not saved. */
  fault: string | undefined
  /** Another device changed the same fields: its letter. */
  conflict: Letter | undefined
  /** Ends the conflict. */
  settle: (keep: 'mine' | 'theirs') => void
}

/** Saves every field of a letter as it is typed, a moment after the last key. */
export function useLetter(kept: Letter): OpenLetter {
  const { id } = kept
  const [typed, remember] = useTyped(id)
  const [conflict, setConflict] = useState<Letter>()
  const { send, error, refresh } = useSave(kept, {
    onSaved: (saved) => remember(withoutSaved(readTyped(id), saved)),
    onConflict: (theirs) => setConflict({ ...kept, ...theirs }),
  })
  const sendSoon = useDebouncedCallback(send, { delay: saveAfterMs, flushOnUnmount: true })
  useWindowEvent('pagehide', () => sendSoon.flush())
  // The tab was loaded again before it was saved.
  useEffect(() => {
    sendSoon(kept) // it sends nothing if nothing is typed
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, with what was kept
  }, [])
  const change = (changes: Changes) => {
    remember({ ...readTyped(id), ...changes })
    if (!conflict) sendSoon(kept)
  }
  const settle = (keep: 'mine' | 'theirs') => {
    if (keep === 'theirs') remember({})
    else if (conflict) send(conflict)
    setConflict(undefined)
    void refresh()
  }
  const fault = error ? errorMessage(error) : undefined
  const isSaved = Object.keys(typed).length === 0
  const unsaved = fault === undefined ? 'Saving …' : 'Not saved yet'
  const status = isSaved ? 'Saved' : unsaved
  return { letter: { ...kept, ...typed }, change, status, fault, conflict, settle }
}

/** What is typed and not saved yet. */
function useTyped(id: number): [Changes, (changes: Changes) => void] {
  const [typed, setTyped] = useState<Changes>(() => readTyped(id))
  const remember = (changes: Changes) => {
    setTyped(changes)
    if (Object.keys(changes).length === 0) sessionStorage.removeItem(storageOf(id))
    else sessionStorage.setItem(storageOf(id), JSON.stringify(changes))
  }
  return [typed, remember]
}

interface SaveEnds {
  onSaved: (saved: Changes) => void
  onConflict: (theirs: Partial<Letter>) => void
}

/** A letter of the series that is on goes out by itself: to save it asks for a fresh proof. */
function useSave(kept: Letter, { onSaved, onConflict }: SaveEnds) {
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const refresh = () => queryClient.invalidateQueries(trpc.mailings.pathFilter())
  const options = {
    trpc: outliving,
    onSuccess: async (
      outcome: RouterOutputs['mailings']['save'],
      { changes }: { changes: object },
    ) => {
      if (outcome.kind === 'conflict') return onConflict(outcome.theirs)
      onSaved(changes)
      return refresh()
    },
  }
  const saveDraft = useMutation(trpc.mailings.save.mutationOptions(options))
  const saveLive = useMutation(trpc.mailings.saveLive.mutationOptions(options))
  const isOn = kept.afterDays !== null && kept.state === 'sending'
  const { mutate, error } = isOn ? saveLive : saveDraft
  /** `base`: what the changes are based on. */
  const send = (base: Letter) => {
    const { id, revision } = base
    const changes = readTyped(id)
    if (Object.keys(changes).length === 0) return
    const before = asInput(valuesOf(base, changes))
    mutate({ id, changes: asInput(changes), before, revision })
  }
  return { send, error, refresh }
}

function readTyped(id: number): Changes {
  const kept = sessionStorage.getItem(storageOf(id))
  return kept === null ? {} : JSON.parse(kept) // as `remember` wrote it
}

/** What was typed since it was sent stays. */
function withoutSaved(typed: Changes, saved: Changes): Changes {
  const names = Object.keys(typed) as (keyof Changes)[] // the fields of a letter
  return Object.fromEntries(
    names
      .filter((name) => JSON.stringify(typed[name]) !== JSON.stringify(saved[name]))
      .map((name) => [name, typed[name]]),
  )
}

/** A letter that goes out once has no day. */
function asInput({ afterDays, ...changes }: Changes) {
  return typeof afterDays === 'number' ? { ...changes, afterDays } : changes
}

function valuesOf(letter: Letter, changes: Changes): Changes {
  const names = Object.keys(changes) as (keyof Changes)[] // the fields of a letter
  return Object.fromEntries(names.map((name) => [name, letter[name]]))
}

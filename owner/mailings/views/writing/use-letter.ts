import { useDebouncedCallback, useTimeout, useWindowEvent } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { errorMessage, isPassing } from '#owner/desk/views/api/errors.ts'
import { type RouterInputs, type RouterOutputs, useTRPC } from '#owner/desk/views/api/trpc.ts'

export type Letter = RouterOutputs['mailings']['one']
/** The fields that were changed. */
export type Changes = Partial<Pick<Letter, keyof RouterInputs['mailings']['save']['changes']>>

const saveAfterMs = 300
const retryAfterMs = 2_000
const outliving = { context: { outlivesPage: true } }

/** The unsaved words of a letter outlive a reload of this tab. */
const storageOf = (id: number) => `desk-typed-letter-${id}`

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
  const { typed, newest, base, remember } = useTyped(kept)
  const [conflict, setConflict] = useState<Letter>()
  const { send, error, refresh } = useSave(kept, {
    newest,
    base,
    onSaved: (saved) => remember(withoutSaved(newest.current, saved)),
    onConflict: (theirs) => setConflict({ ...kept, ...theirs }),
  })
  const rebase = (letter: Letter) => {
    if (letter.revision > base.current.revision) base.current = letter
  }
  const sendSoon = useDebouncedCallback(send, { delay: saveAfterMs, flushOnUnmount: true })
  useWindowEvent('pagehide', () => sendSoon.flush())
  const fault = error ? errorMessage(error) : undefined
  const isSaved = Object.keys(typed).length === 0
  const isHeldUp = !isSaved && (fault !== undefined || conflict !== undefined)
  useWindowEvent('beforeunload', (event) => {
    if (isHeldUp) event.preventDefault() // it outlives a reload, but not the tab
  })
  // The tab was loaded again before it was saved.
  useEffect(() => {
    sendSoon() // it sends nothing if nothing is typed
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once
  }, [])
  const change = (changes: Changes) => {
    // Another device may have changed what is shown, but not what is typed over it.
    if (Object.keys(newest.current).length === 0) rebase(kept)
    remember({ ...newest.current, ...changes })
    if (!conflict) sendSoon()
  }
  const settle = (keep: 'mine' | 'theirs') => {
    if (keep === 'theirs') remember({})
    else if (conflict) rebase(conflict)
    setConflict(undefined)
    void send()
    void refresh()
  }
  const unsaved = isHeldUp ? 'Not saved yet' : 'Saving …'
  const status = isSaved ? 'Saved' : unsaved
  return { letter: { ...kept, ...typed }, change, status, fault, conflict, settle }
}

/** The unsaved words of a letter, and the letter that they are based on. */
function useTyped(kept: Letter) {
  const [restored] = useState(() => restore(kept))
  const [typed, setTyped] = useState(restored.typed)
  const newest = useRef(typed) // also between two renderings
  const base = useRef(restored.base)
  const remember = (changes: Changes) => {
    newest.current = changes
    setTyped(changes)
    store(base.current, changes)
  }
  return { typed, newest, base, remember }
}

/** As `store` wrote it. */
interface StoredText {
  changes: Changes
  before: Changes
  revision: number
}

function restore(kept: Letter): { typed: Changes; base: Letter } {
  const stored = sessionStorage.getItem(storageOf(kept.id))
  if (stored === null) return { typed: {}, base: kept }
  const { changes, before, revision }: StoredText = JSON.parse(stored)
  return { typed: changes, base: { ...kept, ...before, revision } }
}

function store(base: Letter, changes: Changes): void {
  const { id, revision } = base
  const text: StoredText = { changes, before: valuesOf(base, changes), revision }
  try {
    if (Object.keys(changes).length === 0) sessionStorage.removeItem(storageOf(id))
    else sessionStorage.setItem(storageOf(id), JSON.stringify(text))
  } catch {
    // A full storage keeps nothing: the tab still has it.
  }
}

interface SaveOptions {
  newest: RefObject<Changes>
  base: RefObject<Letter>
  onSaved: (saved: Changes) => void
  onConflict: (theirs: Partial<Letter>) => void
}

/**
 * One save after the other: what is typed meanwhile goes with the next. While the server is away it
 * is tried again and again.
 */
function useSave(kept: Letter, { newest, base, onSaved, onConflict }: SaveOptions) {
  const { save, error, refresh, showSaved } = useSaveCall(kept)
  const isSaving = useRef(false)
  const retry = useTimeout(() => void send(), retryAfterMs)
  async function send() {
    if (isSaving.current) return
    isSaving.current = true
    retry.clear()
    try {
      while (Object.keys(newest.current).length > 0) {
        const changes = newest.current
        const outcome = await save(inputOf(base.current, changes))
        if (outcome.kind === 'conflict') return onConflict(outcome.theirs)
        base.current = savedLetter(base.current, changes, outcome.revision)
        showSaved(changes, outcome.revision)
        onSaved(changes)
        void refresh()
      }
    } catch (fault) {
      if (isPassing(fault)) retry.start() // the letter shows what is wrong
    } finally {
      isSaving.current = false
    }
  }
  return { send, error, refresh }
}

/** A letter of the series that is on goes out by itself: to save it asks for a fresh proof. */
function useSaveCall(kept: Letter) {
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const refresh = () => queryClient.invalidateQueries(trpc.mailings.pathFilter())
  /** Until it is asked for again, which it is at once. */
  const showSaved = (changes: Changes, revision: number) => {
    const queryKey = trpc.mailings.one.queryKey({ id: kept.id })
    queryClient.setQueryData(queryKey, (shown) => shown && savedLetter(shown, changes, revision))
  }
  const saveDraft = useMutation(trpc.mailings.save.mutationOptions({ trpc: outliving }))
  const saveLive = useMutation(trpc.mailings.saveLive.mutationOptions({ trpc: outliving }))
  const { mutateAsync: save, error } = kept.isLive ? saveLive : saveDraft
  return { save, error, refresh, showSaved }
}

function inputOf(base: Letter, changes: Changes): RouterInputs['mailings']['save'] {
  const { id, revision } = base
  return { id, revision, changes: asInput(changes), before: asInput(valuesOf(base, changes)) }
}

/** Another device may have changed other fields: this tab does not know a later revision then. */
function savedLetter(base: Letter, changes: Changes, revision: number): Letter {
  const isNext = revision === base.revision + 1
  return { ...base, ...changes, revision: isNext ? revision : base.revision }
}

/** Drops what was saved, and keeps what was typed while it was being saved. */
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

import { useDebouncedCallback, useWindowEvent } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { errorMessage } from '#owner/desk/views/api/errors.ts'
import { type RouterInputs, type RouterOutputs, useTRPC } from '#owner/desk/views/api/trpc.ts'
import { useViewState } from '#owner/desk/views/navigation/view-state.ts'
import { notifyFault } from '#owner/desk/views/parts/actions/notify.ts'

type Order = RouterInputs['announce']['start']
export type MailKind = Order['kind']
export type Draft = RouterOutputs['letters']['drafts'][number]

/** The draft that is written in. */
export interface OpenDraft extends Draft {
  /** False: nothing is typed in it yet. The first words add it on the server. */
  isKept: boolean
}

export interface Words {
  subject: string
  /** A letter has one: it is shown after the subject. */
  preview: string
  text: string
}

interface Sending {
  /** Empty: none is chosen at first. */
  to: Order['to'] | ''
  /** Empty: people of all campaigns. */
  campaigns: string[]
  /** 0: the usual pace. */
  mostPerHour: number
  isSlowStart: boolean
  /** As the browser's field writes it, in the owner's zone. Empty: a minute after confirming. */
  sendAt: string
}

export interface Choices extends Words, Sending {}

const initialSending: Sending = {
  to: '',
  campaigns: [],
  mostPerHour: 0,
  isSlowStart: true,
  sendAt: '',
}

type Choose = (changed: Partial<Choices>) => void

const saveAfterMs = 800
const outliving = { context: { outlivesPage: true } }

/** The words and choices for a version, until it is announced. */
export function useVersionChoices(subject: string): [Choices, Choose] {
  return useViewState<Choices>({ subject, preview: '', text: '', ...initialSending })
}

/** The server keeps a letter's words, so that another browser goes on with them. */
export function useLetterChoices(draft: OpenDraft): [Choices, Choose] {
  const [sending, setSending] = useState(initialSending)
  // Only what was typed in this tab is saved: another tab may have the other half of the letter.
  const [typed, setTyped] = useState<Partial<Words>>({})
  const saveSoon = useSaveDraft(draft)
  const choose = ({ subject, preview, text, ...sendingChanged }: Partial<Choices>) => {
    setSending({ ...sending, ...sendingChanged })
    if (subject === undefined && preview === undefined && text === undefined) return
    const words = { ...typed, ...withoutUndefined({ subject, preview, text }) }
    setTyped(words)
    saveSoon(words)
  }
  const { subject, preview, text } = draft
  return [{ subject, preview, text, ...typed, ...sending }, choose]
}

/** Saves a moment after the last key, and at once when the view or the page is left. */
function useSaveDraft({ id, isKept }: OpenDraft) {
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const onError = (error: unknown) => notifyFault(errorMessage(error) ?? '')
  const setDrafts = (update: (drafts: Draft[]) => Draft[]) =>
    queryClient.setQueryData(trpc.letters.drafts.queryKey(), (drafts) => drafts && update(drafts))
  const add = useMutation(
    trpc.letters.add.mutationOptions({
      trpc: outliving,
      onSuccess: (_id, words) => setDrafts((drafts) => withAdded(drafts, id, words)),
      onError,
    }),
  )
  const change = useMutation(
    trpc.letters.save.mutationOptions({
      trpc: outliving,
      onSuccess: (_nothing, words) => setDrafts((drafts) => withChanged(drafts, id, words)),
      onError,
    }),
  )
  const save = (words: Partial<Words>) => {
    if (isKept) change.mutate({ draft: id, ...words })
    else add.mutate({ draft: id, ...words })
  }
  const saveSoon = useDebouncedCallback(save, { delay: saveAfterMs, flushOnUnmount: true })
  useWindowEvent('pagehide', () => saveSoon.flush())
  return saveSoon
}

function withAdded(drafts: readonly Draft[], id: string, words: ChangedWords): Draft[] {
  const { subject = '', preview = '', text = '' } = words
  const added = { id, subject, preview, text, changedAt: Date.now() }
  return [added, ...drafts.filter((one) => one.id !== id)]
}

function withChanged(drafts: readonly Draft[], id: string, words: ChangedWords): Draft[] {
  const changed = withoutUndefined(words)
  return drafts.map((one) => (one.id === id ? { ...one, ...changed } : one))
}

type ChangedWords = { [Name in keyof Words]?: Words[Name] | undefined }

function withoutUndefined({ subject, preview, text }: ChangedWords): Partial<Words> {
  return {
    ...(subject !== undefined && { subject }),
    ...(preview !== undefined && { preview }),
    ...(text !== undefined && { text }),
  }
}

import { useDebouncedCallback } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { errorMessage } from '../../api/errors.ts'
import { type RouterInputs, type RouterOutputs, useTRPC } from '../../api/trpc.ts'
import { useViewState } from '../../navigation/view-state.ts'
import { notifyFault } from '../../parts/actions/notify.ts'

type AnnounceState = RouterOutputs['announce']['show']
type Order = RouterInputs['announce']['start']
export type MailKind = Order['kind']

interface Words {
  subject: string
  text: string
}

interface Audience {
  /** Empty: none is chosen at first. */
  to: Order['to'] | ''
  /** 0: the usual pace. */
  mostPerHour: number
}

export interface Choices extends Words, Audience {}

const saveAfterMs = 800

/** What is typed and chosen for a mail, until it is sent. */
export function useChoices(
  kind: MailKind,
  { version, letter }: AnnounceState,
): [Choices, (changed: Partial<Choices>) => void] {
  const ofVersion = useViewState<Choices>({
    subject: version?.subject ?? '',
    text: '',
    to: '',
    mostPerHour: 0,
  })
  const ofLetter = useLetter(letter)
  return kind === 'version' ? ofVersion : ofLetter
}

/** The server keeps its words, so that another browser goes on with them. */
function useLetter(letter: Words): [Choices, (changed: Partial<Choices>) => void] {
  const [audience, setAudience] = useState<Audience>({ to: '', mostPerHour: 0 })
  // Only what was typed in this tab is saved: another tab may have the other half of the letter.
  const [typed, setTyped] = useState<Partial<Words>>({})
  const save = useSaveLetter()
  const choose = ({ subject, text, ...others }: Partial<Choices>) => {
    setAudience({ ...audience, ...others })
    if (subject === undefined && text === undefined) return
    const words = {
      ...typed,
      ...(subject !== undefined && { subject }),
      ...(text !== undefined && { text }),
    }
    setTyped(words)
    save(words)
  }
  return [{ ...letter, ...typed, ...audience }, choose]
}

/** Saves a moment after the last key, and at once when the view is left. */
function useSaveLetter() {
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const { mutate } = useMutation(
    trpc.announce.saveLetter.mutationOptions({
      onSuccess: (_nothing, saved) =>
        queryClient.setQueryData(trpc.announce.show.queryKey(), (state) => {
          if (!state) return state
          const { subject = state.letter.subject, text = state.letter.text } = saved
          return { ...state, letter: { subject, text } }
        }),
      onError: (error) => notifyFault(errorMessage(error) ?? ''),
    }),
  )
  return useDebouncedCallback((words: Partial<Words>) => mutate(words), {
    delay: saveAfterMs,
    flushOnUnmount: true,
  })
}

import { useMutation } from '@tanstack/react-query'
import { type RouterOutputs, useTRPC } from '#owner/desk/views/api/trpc.ts'
import { go } from '#owner/desk/views/navigation/location.ts'
import { ActionButton } from '#owner/desk/views/parts/actions/action-button.tsx'
import { ConfirmButton } from '#owner/desk/views/parts/actions/confirm-button.tsx'
import { useFollowUp } from '#owner/desk/views/parts/actions/follow-up.ts'

export type ListedLetter = RouterOutputs['mailings']['list']['mailings'][number]
type Acted = Pick<ListedLetter, 'id' | 'title' | 'state' | 'afterDays' | 'isRemoved'>

interface LetterActionsProps {
  letter: Acted
  /** Something of it is not saved yet. */
  disabled?: boolean
}

/** The buttons that fit the state of a letter. */
export function LetterActions({ letter, disabled = false }: LetterActionsProps) {
  const { id, state, afterDays } = letter
  const isOfSeries = afterDays !== null
  switch (state) {
    case 'draft':
      return (
        <>
          {isOfSeries && (
            <Act act="send" id={id} disabled={disabled}>
              Switch on
            </Act>
          )}
          <Remove letter={letter} />
        </>
      )
    case 'scheduled':
      return (
        <Act act="cancel" id={id} done="Taken back. Nobody got it.">
          Take it back
        </Act>
      )
    case 'sending':
      return (
        <>
          <Act act="pause" id={id}>
            {isOfSeries ? 'Switch off' : 'Pause'}
          </Act>
          <Remove letter={letter} />
        </>
      )
    case 'paused':
      return (
        <>
          <Act act="resume" id={id} disabled={disabled}>
            {isOfSeries ? 'Switch on' : 'Go on'}
          </Act>
          <Remove letter={letter} />
        </>
      )
    case 'cancelled':
      return letter.isRemoved ? (
        <Act act="restore" id={id}>
          Restore
        </Act>
      ) : null
    case 'done':
      return null
    default:
      return state satisfies never
  }
}

function Remove({ letter: { id, state, title, afterDays } }: { letter: Acted }) {
  if (afterDays === null && state !== 'draft') {
    return (
      <Cancel id={id} words="Cancel the rest" heading={`Cancel the rest of “${title}”?`}>
        People who have not got it yet get no mail. What was sent stays sent.
      </Cancel>
    )
  }
  return (
    <Cancel id={id} words="Remove" heading={`Remove “${title}”?`}>
      You find it under Removed, and can restore it there.
    </Cancel>
  )
}

function useRefresh() {
  const trpc = useTRPC()
  return [trpc.mailings.pathFilter(), trpc.today.state.queryFilter()]
}

interface ActProps {
  act: 'send' | 'pause' | 'resume' | 'cancel' | 'restore'
  id: number
  disabled?: boolean
  done?: string
  children: string
}

function Act({ act, id, disabled = false, done, children }: ActProps) {
  const trpc = useTRPC()
  const followUp = useFollowUp()
  const refresh = useRefresh()
  const mutation = useMutation(
    trpc.mailings[act].mutationOptions(followUp({ refresh, ...(done !== undefined && { done }) })),
  )
  return (
    <ActionButton mutation={mutation} input={{ id }} disabled={disabled}>
      {children}
    </ActionButton>
  )
}

interface CancelProps {
  id: number
  words: string
  heading: string
  children: string
}

function Cancel({ id, children, ...words }: CancelProps) {
  const trpc = useTRPC()
  const followUp = useFollowUp()
  const refresh = useRefresh()
  const cancel = useMutation(trpc.mailings.cancel.mutationOptions(followUp({ refresh })))
  return (
    <ConfirmButton {...words} mutation={cancel} input={{ id }}>
      {children}
    </ConfirmButton>
  )
}

interface CopyLetterProps {
  id: number
  /** The copy goes to those who have not had this one. */
  forOthers?: boolean
  children: string
}

/** Makes a new draft from a letter, and opens it. */
export function CopyLetter({ id, forOthers = false, children }: CopyLetterProps) {
  const trpc = useTRPC()
  const followUp = useFollowUp()
  const refresh = useRefresh()
  const copy = useMutation(
    trpc.mailings.copy.mutationOptions({
      ...followUp({ refresh }),
      onSuccess: (added) => go(`letters/${added}`),
    }),
  )
  return (
    <ActionButton mutation={copy} input={{ id, forOthers }}>
      {children}
    </ActionButton>
  )
}

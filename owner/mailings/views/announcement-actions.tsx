import { useMutation } from '@tanstack/react-query'
import { type RouterOutputs, useTRPC } from '#owner/desk/views/api/trpc.ts'
import { ActionButton } from '#owner/desk/views/parts/actions/action-button.tsx'
import { ConfirmButton } from '#owner/desk/views/parts/actions/confirm-button.tsx'
import { useFollowUp } from '#owner/desk/views/parts/actions/follow-up.ts'

type Announcement = RouterOutputs['announce']['show']['all'][number]

interface AnnouncementActionsProps {
  announcement: Pick<Announcement, 'name' | 'title' | 'state' | 'sent'>
}

/** The buttons that one announcement has. */
export function AnnouncementActions({ announcement }: AnnouncementActionsProps) {
  const { name, title, state, sent } = announcement
  if (state === 'done') return null
  if (state === 'cancelled') return <Resume name={name} words="Finish it" />
  if (state === 'starting' && sent === 0) return <TakeBack name={name} />
  const isPaused = state === 'paused' || state === 'paused-automatically'
  return (
    <>
      {isPaused ? (
        <Resume name={name} words={state === 'paused' ? 'Go on' : 'Go on, slowly'} />
      ) : (
        <Pause name={name} />
      )}
      <CancelRest name={name} title={title} />
    </>
  )
}

function useChangedQueries() {
  const trpc = useTRPC()
  return [
    trpc.announce.pathFilter(),
    trpc.letters.drafts.queryFilter(),
    trpc.today.state.queryFilter(),
  ]
}

function TakeBack({ name }: { name: string }) {
  const trpc = useTRPC()
  const followUp = useFollowUp()
  const refresh = useChangedQueries()
  const cancel = useMutation(
    trpc.announce.cancel.mutationOptions(followUp({ refresh, done: 'Taken back. Nobody got it.' })),
  )
  return (
    <ActionButton variant="filled" mutation={cancel} input={{ name }}>
      Take it back
    </ActionButton>
  )
}

function Pause({ name }: { name: string }) {
  const trpc = useTRPC()
  const followUp = useFollowUp()
  const refresh = useChangedQueries()
  const pause = useMutation(trpc.announce.pause.mutationOptions(followUp({ refresh })))
  return (
    <ActionButton variant="filled" mutation={pause} input={{ name }}>
      Pause
    </ActionButton>
  )
}

const resumeWords = {
  'Go on': 'It continues where it stopped.',
  'Go on, slowly': 'It starts again with 100 an hour, without people whose mail came back.',
  'Finish it': 'People who have not had this mail get it, starting with 100 an hour.',
}

function Resume({ name, words }: { name: string; words: keyof typeof resumeWords }) {
  const trpc = useTRPC()
  const followUp = useFollowUp()
  const refresh = useChangedQueries()
  const resume = useMutation(trpc.announce.resume.mutationOptions(followUp({ refresh })))
  return (
    <ConfirmButton words={words} variant="filled" mutation={resume} input={{ name }}>
      {resumeWords[words]}
    </ConfirmButton>
  )
}

function CancelRest({ name, title }: { name: string; title: string }) {
  const trpc = useTRPC()
  const followUp = useFollowUp()
  const refresh = useChangedQueries()
  const cancel = useMutation(trpc.announce.cancel.mutationOptions(followUp({ refresh })))
  return (
    <ConfirmButton
      words="Cancel the rest"
      heading={`Cancel the rest of ${title}?`}
      mutation={cancel}
      input={{ name }}
    >
      People who have not got it yet get no mail unless you finish it later. What was sent stays
      sent.
    </ConfirmButton>
  )
}

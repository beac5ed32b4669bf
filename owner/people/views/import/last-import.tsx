import { useMutation, useQuery } from '@tanstack/react-query'
import { useTRPC } from '#owner/desk/views/api/trpc.ts'
import { counted, formatDayAndTime } from '#owner/desk/views/format/format.ts'
import { ConfirmButton } from '#owner/desk/views/parts/actions/confirm-button.tsx'
import { useFollowUp } from '#owner/desk/views/parts/actions/follow-up.ts'
import { Section } from '#owner/desk/views/parts/outline/section.tsx'

/** The last import can be undone for a day. */
export function LastImport() {
  const trpc = useTRPC()
  const followUp = useFollowUp()
  const { data: job } = useQuery(trpc.import.undoable.queryOptions())
  const refresh = [
    trpc.import.undoable.queryFilter(),
    trpc.people.pathFilter(),
    trpc.jobs.pathFilter(),
  ]
  const undo = useMutation(trpc.import.undo.mutationOptions(followUp({ refresh })))
  if (!job || job.endedAt === null) return null
  const added = counted(job.counts['added'] ?? 0, 'person', 'people')
  const people = counted(job.people, 'person', 'people')
  return (
    <Section
      heading="The last import"
      note={`${added} added, ${formatDayAndTime(job.endedAt)}. It can be undone for a day.`}
    >
      <ConfirmButton
        words="Undo the import"
        label={job.people === 1 ? 'Remove this person' : `Remove these ${people}`}
        mutation={undo}
        input={undefined}
      >
        They are erased, except those who have signed up since or got a mail.
      </ConfirmButton>
    </Section>
  )
}

import { Progress } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { type RouterOutputs, useTRPC } from './api/trpc.ts'
import { formatDayAndTime, formatNumber, formatShare } from './format/format.ts'
import { ActionButton } from './parts/actions/action-button.tsx'
import { useFollowUp } from './parts/actions/follow-up.ts'
import type { RowProps } from './parts/outline/rows.tsx'
import { Section } from './parts/outline/section.tsx'

type Job = RouterOutputs['jobs']['show'][number]

const runningMs = 1_000

/** Large acts that go on by themselves, whichever browser began them. */
export function Jobs() {
  const trpc = useTRPC()
  const { data: jobs = [] } = useQuery({
    ...trpc.jobs.show.queryOptions(),
    refetchInterval: ({ state }) => (state.data ?? []).some(isRunning) && runningMs,
  })
  const isBusy = jobs.some(isRunning)
  useRefreshAtEnd(isBusy)
  const heading = isBusy ? 'In progress' : 'Recently finished'
  return <Section heading={heading} rows={jobs.map(rowForJob)} />
}

/** A job that has ended has changed what the view around it shows. */
function useRefreshAtEnd(isBusy: boolean): void {
  const queryClient = useQueryClient()
  const wasBusy = useRef(false)
  useEffect(() => {
    if (wasBusy.current && !isBusy) void queryClient.invalidateQueries()
    wasBusy.current = isBusy
  }, [isBusy, queryClient])
}

function isRunning({ state }: Pick<Job, 'state'>): boolean {
  return state === 'running'
}

function rowForJob(job: Job): RowProps {
  const { id, title, outcome, state, total, done, endedAt } = job
  if (endedAt !== null) {
    const end = state === 'stopped' ? `Stopped after ${formatNumber(done)}. ` : ''
    return { id, words: title, note: `${end}${outcome}`, axis: formatDayAndTime(endedAt) }
  }
  return {
    id,
    words: (
      <>
        {title}
        <Progress mt="xs" value={(100 * done) / Math.max(1, total)} aria-label={`${title}, done`} />
      </>
    ),
    note: `${formatNumber(done)} of ${formatNumber(total)}. ${outcome} It goes on if you close this page.`,
    actions: <Stop id={id} title={title} />,
    axis: formatShare(done, total),
  }
}

function Stop({ id, title }: { id: number; title: string }) {
  const trpc = useTRPC()
  const followUp = useFollowUp()
  const stop = useMutation(
    trpc.jobs.stop.mutationOptions(
      followUp({ refresh: [trpc.jobs.pathFilter()], done: 'Stopped. What was done stays.' }),
    ),
  )
  return (
    <ActionButton mutation={stop} input={{ id }} aria-label={`Stop: ${title}`}>
      Stop
    </ActionButton>
  )
}

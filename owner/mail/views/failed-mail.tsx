import { SimpleGrid } from '@mantine/core'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { describeRetry, type RetryOutcome } from '#owner/acts/jobs/job-words.ts'
import { explainReason } from '../reasons.ts'
import { useFollowUp } from '#owner/desk/views/parts/actions/follow-up.ts'
import { notify } from '#owner/desk/views/parts/actions/notify.ts'
import { useTRPC } from '#owner/desk/views/api/trpc.ts'
import { counted, formatNumber } from '#owner/desk/views/format/format.ts'
import { hrefOf } from '#owner/desk/views/navigation/location.ts'
import { ActionButton } from '#owner/desk/views/parts/actions/action-button.tsx'
import { ConfirmButton } from '#owner/desk/views/parts/actions/confirm-button.tsx'
import { LoadingRows } from '#owner/desk/views/parts/outline/rows.tsx'
import { Section } from '#owner/desk/views/parts/outline/section.tsx'
import type { MailRow } from './mail-lists.ts'
import { rowForMail } from './mail-row.tsx'
import { Pages } from './pages.tsx'

interface FailedMailProps {
  /** All that have failed, those of other pages too. */
  total: number
  below: number
  onPage: (below: number) => void
}

/** Grouped by what helps. Each group has its own action, none has one for both. */
export function FailedMail({ total, below, onPage }: FailedMailProps) {
  const trpc = useTRPC()
  const list = useQuery({
    ...trpc.mail.list.queryOptions({ state: 'failed', below: below || undefined }),
    placeholderData: keepPreviousData,
  })
  const { mails = [], retryable = [], hasMore = false } = list.data ?? {}
  const hopeless = mails.filter(isHopeless)
  const hopeful = mails.filter((mail) => !isHopeless(mail))
  const isNothing = list.data !== undefined && mails.length === 0
  const isPart = below > 0 || hasMore
  const shown = isPart
    ? `${formatNumber(mails.length)} of them are shown, 50 at a time.`
    : undefined
  return (
    <>
      <Section
        heading={
          isNothing ? 'No mail has failed' : `${counted(total, 'mail has', 'mails have')} failed`
        }
        note={shown}
        query={list}
        actions={isPart && <RetryHopeful />}
      >
        {list.isPending && <LoadingRows />}
        <Pages below={below} last={hasMore ? mails.at(-1)?.id : undefined} onPage={onPage} />
      </Section>
      <SimpleGrid>
        <Hopeful mails={hopeful} retryable={retryable} />
        <Hopeless mails={hopeless} />
      </SimpleGrid>
    </>
  )
}

function isHopeless(mail: MailRow): boolean {
  return explainReason(mail.last_fault ?? '', true).helps === 'correct'
}

function Hopeful({ mails, retryable }: { mails: MailRow[]; retryable: number[] }) {
  const ids = mails.map(({ id }) => id).filter((id) => retryable.includes(id))
  return (
    <Section
      heading={`${formatNumber(mails.length)} worth another try`}
      note={describeReasons(mails)}
      actions={ids.length > 1 && <RetryAll ids={ids} />}
      rows={mails.map((mail) => ({
        ...rowForMail(mail),
        actions: ids.includes(mail.id) && <Retry id={mail.id} address={mail.address} />,
      }))}
    />
  )
}

function Hopeless({ mails }: { mails: MailRow[] }) {
  return (
    <Section
      heading={`${formatNumber(mails.length)} that cannot be delivered`}
      note={`${describeReasons(mails)} Correct the address and the mail goes out again. Trying the same address again only harms your standing with other mail servers.`}
      rows={mails.map((mail) => ({
        ...rowForMail(mail),
        actions: (
          <a href={hrefOf(`people/${mail.subscriber}`)} aria-label={`Correct: ${mail.address}`}>
            Correct
          </a>
        ),
      }))}
    />
  )
}

function useRetry() {
  const trpc = useTRPC()
  const followUp = useFollowUp()
  const refresh = [trpc.mail.pathFilter(), trpc.today.state.queryFilter()]
  const { onSettled } = followUp({ refresh })
  const onSuccess = (outcome: RetryOutcome) => notify(describeRetry(outcome))
  return useMutation(trpc.mail.retry.mutationOptions({ onSuccess, onSettled }))
}

/** Those on other pages too. */
function RetryHopeful() {
  const trpc = useTRPC()
  const followUp = useFollowUp()
  const refresh = [trpc.jobs.pathFilter(), trpc.mail.pathFilter(), trpc.today.state.queryFilter()]
  const done = 'It runs in the background. The view Today shows how far it has got.'
  const retry = useMutation(trpc.mail.retryHopeful.mutationOptions(followUp({ refresh, done })))
  return (
    <ConfirmButton words="Retry all worth another try" mutation={retry} input={undefined}>
      Mail that needs another address first is left out.
    </ConfirmButton>
  )
}

function RetryAll({ ids }: { ids: number[] }) {
  const retry = useRetry()
  return (
    <ActionButton variant="filled" mutation={retry} input={{ ids }}>
      {ids.length === 2 ? 'Retry both' : `Retry all ${ids.length}`}
    </ActionButton>
  )
}

function Retry({ id, address }: { id: number; address: string }) {
  const retry = useRetry()
  return (
    <ActionButton mutation={retry} input={{ ids: [id] }} aria-label={`Retry: ${address}`}>
      Retry
    </ActionButton>
  )
}

/** Each once: "The mailbox is full. (552 to DATA)" */
function describeReasons(failed: readonly MailRow[]): string {
  const reasons = failed.map((mail) => explainReason(mail.last_fault ?? '', true))
  return [...new Set(reasons.map(({ words, code }) => `${words} (${code})`))].join(' ')
}

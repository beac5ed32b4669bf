import { Button, Group, SimpleGrid } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { explainReason } from '../reasons.ts'
import { useFollowUp } from '#owner/desk/views/parts/actions/follow-up.ts'
import { useTRPC } from '#owner/desk/views/api/trpc.ts'
import { formatSpan } from '../span.ts'
import { formatNumber } from '#owner/desk/views/format/format.ts'
import { hrefOf } from '#owner/desk/views/navigation/location.ts'
import { ActionButton } from '#owner/desk/views/parts/actions/action-button.tsx'
import { Disclosure } from '#owner/desk/views/parts/disclosure.tsx'
import { LoadingRows, type RowProps, Rows } from '#owner/desk/views/parts/outline/rows.tsx'
import { Section } from '#owner/desk/views/parts/outline/section.tsx'
import { describeRest, type MailState } from './mail-lists.ts'
import { rowForMail } from './mail-row.tsx'

const rowsAtOnce = 5

/** Why mail waits, and whose. */
export function WaitingMail({ state }: { state: MailState }) {
  const trpc = useTRPC()
  const list = useQuery(trpc.mail.list.queryOptions({ state: 'waiting' }))
  if (state.waiting === 0) return <Section heading="No mail is waiting" />
  const { mails = [], hasMore = false } = list.data ?? {}
  const rows = mails.map((mail): RowProps => {
    return { ...rowForMail(mail), axis: formatSpan(state.at - mail.queued_at, 'short') }
  })
  const rest = rows.slice(rowsAtOnce)
  return (
    <SimpleGrid>
      <Section heading="Why" rows={state.reasons.map(rowForReason)} />
      <Section heading="Who is waiting" query={list} rows={rows.slice(0, rowsAtOnce)}>
        {list.isPending && <LoadingRows />}
        {rest.length > 0 && (
          <Disclosure
            words={describeRest({
              folded: rest.length,
              listed: rows.length,
              waiting: hasMore ? state.waiting : rows.length,
            })}
          >
            <Rows rows={rest} />
          </Disclosure>
        )}
      </Section>
    </SimpleGrid>
  )
}

/** Tells what the relay said, and what to do. */
function rowForReason({ fault, count, oneId }: MailState['reasons'][number]): RowProps {
  if (fault === null) return { mark: 'look', words: 'Not tried yet.', axis: formatNumber(count) }
  const { words, advice, helps } = explainReason(fault)
  const isOwners = helps === 'owner'
  return {
    mark: isOwners ? 'wrong' : 'look',
    words: (
      <>
        <strong>{words}</strong>
        <p>{advice}</p>
        {isOwners && <WhatToDo id={oneId} />}
      </>
    ),
    note: fault,
    axis: formatNumber(count),
  }
}

/** `id`: of one of the mails that wait for this reason. */
function WhatToDo({ id }: { id: number }) {
  const trpc = useTRPC()
  const followUp = useFollowUp()
  const refresh = [trpc.mail.pathFilter(), trpc.today.state.queryFilter()]
  const retry = useMutation(
    trpc.mail.retry.mutationOptions(followUp({ refresh, done: 'One mail is tried now.' })),
  )
  return (
    <Group gap="xs" my="xs">
      <ActionButton variant="filled" mutation={retry} input={{ ids: [id] }}>
        Try one now
      </ActionButton>
      <Button component="a" href={hrefOf('check-up')}>
        Run the check-up
      </Button>
    </Group>
  )
}

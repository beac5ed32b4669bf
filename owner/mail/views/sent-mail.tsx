import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTRPC } from '#owner/desk/views/api/trpc.ts'
import { LoadingRows } from '#owner/desk/views/parts/outline/rows.tsx'
import { Section } from '#owner/desk/views/parts/outline/section.tsx'
import { rowForMail } from './mail-row.tsx'
import { Pages } from './pages.tsx'

interface SentMailProps {
  below: number
  onPage: (below: number) => void
}

export function SentMail({ below, onPage }: SentMailProps) {
  const trpc = useTRPC()
  const list = useQuery({
    ...trpc.mail.list.queryOptions({ state: 'sent', below: below || undefined }),
    placeholderData: keepPreviousData,
  })
  const { mails = [], hasMore = false } = list.data ?? {}
  const isNothing = list.data !== undefined && mails.length === 0
  return (
    <Section
      heading={isNothing ? 'Nothing has been sent yet' : 'Sent, in the order they were queued'}
      query={list}
      rows={mails.map(rowForMail)}
    >
      {list.isPending && <LoadingRows />}
      <Pages below={below} last={hasMore ? mails.at(-1)?.id : undefined} onPage={onPage} />
    </Section>
  )
}

import { SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTRPC } from '#owner/desk/views/api/trpc.ts'
import { headingOfMailTrouble, wordsOfMailTrouble } from '../mail-trouble-words.ts'
import { formatSpan } from '../span.ts'
import { counted, formatNumber, formatTime } from '#owner/desk/views/format/format.ts'
import { useViewState } from '#owner/desk/views/navigation/view-state.ts'
import { View } from '#owner/desk/views/parts/outline/view.tsx'
import { FailedMail } from './failed-mail.tsx'
import { initialMailChoices, isMailList, type MailState } from './mail-lists.ts'
import { SentMail } from './sent-mail.tsx'
import { WaitingMail } from './waiting-mail.tsx'

export function Mail() {
  const trpc = useTRPC()
  const [choices, choose] = useViewState(initialMailChoices)
  const { list, below } = choices
  const query = useQuery(trpc.mail.show.queryOptions())
  const state = query.data
  const countOf = (count: number | undefined) => (count ? ` ${formatNumber(count)}` : '')
  return (
    <View
      heading={state && headingFor(state)}
      note={state && sentenceFor(state)}
      actions={
        <SegmentedControl
          aria-label="Mails"
          value={list}
          data={[
            { value: 'waiting', label: `Waiting${countOf(state?.waiting)}` },
            { value: 'failed', label: `Failed${countOf(state?.failedInAll)}` },
            { value: 'sent', label: 'Sent' },
          ]}
          onChange={(value) => isMailList(value) && choose({ list: value, below: 0 })}
        />
      }
      query={query}
    >
      {state && list === 'waiting' && <WaitingMail state={state} />}
      {state && list === 'failed' && (
        <FailedMail
          total={state.failedInAll}
          below={below}
          onPage={(id) => choose({ below: id })}
        />
      )}
      {list === 'sent' && <SentMail below={below} onPage={(id) => choose({ below: id })} />}
    </View>
  )
}

function headingFor({ mail: { trouble }, at }: MailState): string {
  if (!trouble) return 'Email is being delivered.'
  const { kind, since } = trouble
  if (kind !== 'stuck' && kind !== 'late') return headingOfMailTrouble(kind)
  return `Mail has been ${kind} for ${formatSpan(at - since)}.`
}

function sentenceFor({ at, mail, waiting, failed }: MailState): string {
  const { trouble, lastSentAt } = mail
  if (trouble) return wordsOfMailTrouble(trouble, { waiting, at, timeOf: formatTime }).text
  const sentences = [
    lastSentAt === null
      ? 'Nothing has been sent yet.'
      : `The last email was sent ${formatSpan(at - lastSentAt)} ago.`,
    waiting === 0 ? 'No mail is waiting.' : `${counted(waiting, 'mail is', 'mails are')} waiting.`,
  ]
  if (failed > 0) sentences.push(`${counted(failed, 'mail')} of the last 7 days failed for good.`)
  return sentences.join(' ')
}

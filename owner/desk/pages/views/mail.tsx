import { Button, Group, SegmentedControl, SimpleGrid } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { explainReason } from '../../../deliveries/reasons.ts'
import { ActButton } from '../parts/acts.tsx'
import { type Answers, api, type Sent, trpc, useRemembered } from '../api.ts'
import { counted, momentOf, number, spanOf, timeOf } from '../format.ts'
import { hrefOf } from '../location.ts'
import {
  Disclosure,
  LinkButton,
  pending,
  type RowProps,
  Rows,
  Section,
  View,
} from '../parts/parts.tsx'
import { Plot } from '../plots/plot.tsx'
import { mailHeadings } from './troubles.ts'

type MailState = Answers['mail']['show']
type MailRow = Answers['mail']['list']['mails'][number]

const hourMs = 60 * 60_000
const rowsAtOnce = 5

export function Mail() {
  const [shown, show] = useRemembered<Sent['mail']['list']['state']>('mail', 'waiting')
  const query = useQuery(trpc.mail.show.queryOptions())
  const state = query.data
  return (
    <View
      heading={state ? headingFor(state) : pending}
      note={state && sentenceFor(state)}
      actions={
        <SegmentedControl
          aria-label="Mails"
          value={shown}
          data={[
            { value: 'waiting', label: `Waiting ${state ? number(state.waiting) : ''}` },
            { value: 'failed', label: 'Failed' },
            { value: 'sent', label: 'Sent' },
          ]}
          onChange={show}
        />
      }
      query={query}
    >
      {state && shown === 'waiting' && <Waiting state={state} />}
      {shown === 'failed' && <Failed />}
      {shown === 'sent' && <SentMail />}
    </View>
  )
}

function headingFor({ mail: { trouble }, at }: MailState): string {
  if (!trouble) return 'Mail goes out.'
  return trouble.kind === 'away'
    ? mailHeadings.away
    : `Mail has been ${trouble.kind} for ${spanOf(at - trouble.since)}.`
}

function sentenceFor({
  mail: { trouble, lastSentAt },
  waiting,
  failed,
  nextTryAt,
}: MailState): string {
  const mails = counted(waiting, 'mail is', 'mails are')
  if (trouble) {
    const next = nextTryAt === null ? '' : `, next at ${timeOf(nextTryAt)}`
    return `${explainReason(trouble.why).words} Nothing is lost: ${mails} waiting and tried again automatically${next}.`
  }
  const sentences = [
    lastSentAt === null ? 'Nothing has been sent yet.' : `Last sent ${momentOf(lastSentAt)}.`,
    waiting === 0 ? 'No mail is waiting.' : `${mails} waiting.`,
  ]
  if (failed > 0) sentences.push(`${counted(failed, 'mail')} of the last 7 days failed for good.`)
  return sentences.join(' ')
}

function Waiting({ state }: { state: MailState }) {
  const list = useQuery(trpc.mail.list.queryOptions({ state: 'waiting' }))
  const rows = list.data?.mails.map((mail) => ({
    ...personIn(mail),
    axis: spanOf(state.at - mail.queued_at, 'short'),
  }))
  return (
    <>
      {state.waiting > 0 && (
        <SimpleGrid>
          <Section heading="Why" rows={state.reasons.map(describeReason)} />
          <Section heading="Who is waiting" query={list} rows={rows?.slice(0, rowsAtOnce)}>
            {state.waiting > rowsAtOnce && (
              <Disclosure words={`All ${number(state.waiting)}`}>
                <Rows rows={rows?.slice(rowsAtOnce) ?? []} />
              </Disclosure>
            )}
          </Section>
        </SimpleGrid>
      )}
      <WaitingPlot state={state} />
    </>
  )
}

/** Tells what the relay said, and what to do. */
function describeReason({ fault, count, oneId }: MailState['reasons'][number]): RowProps {
  if (fault === null) return { mark: 'look', words: 'Not tried yet.', axis: number(count) }
  const { words, advice, helps } = explainReason(fault)
  const isOwners = helps === 'owner'
  return {
    mark: isOwners ? 'wrong' : 'look',
    words: (
      <>
        <strong>{words}</strong>
        <p>{advice}</p>
        {isOwners && (
          <Group gap="xs" my="xs">
            <ActButton
              words="Try one now"
              variant="filled"
              act={() => api.mail.retry.mutate({ ids: [oneId] })}
              done="One mail is tried now."
            />
            <Button component="a" href={hrefOf('check-up')}>
              Run the check-up
            </Button>
          </Group>
        )}
      </>
    ),
    note: fault,
    axis: number(count),
  }
}

function WaitingPlot({
  state: { waiting, mail, waitingByFiveMinutes: steps },
}: {
  state: MailState
}) {
  const heading =
    waiting === 0 ? 'No mail is waiting' : `${counted(waiting, 'mail is', 'mails are')} waiting`
  if (steps.every(({ count }) => count === 0)) {
    return (
      <Section
        heading={heading}
        note="None has waited for five minutes or more in the last 12 hours."
      />
    )
  }
  const lastSent = steps.findLast(({ at }) => at <= (mail.lastSentAt ?? 0))
  return (
    <Section heading={heading} note="The last 12 hours.">
      <Plot
        name="Mails waiting, every 5 minutes"
        labels={steps.map(({ at }) => timeOf(at))}
        ticks={steps.filter(({ at }) => at % (2 * hourMs) === 0).map(({ at }) => timeOf(at))}
        labelsColumn="Time"
        series={[{ as: 'bars', name: 'Mails waiting', values: steps.map(({ count }) => count) }]}
        notes={
          mail.trouble && lastSent ? [{ x: timeOf(lastSent.at), label: 'last mail sent' }] : []
        }
      />
    </Section>
  )
}

/** Grouped by what helps. Each group has its own act, none has one for both. */
function Failed() {
  const list = useQuery(trpc.mail.list.queryOptions({ state: 'failed' }))
  const { mails = [], retryable = [] } = list.data ?? {}
  const isHopeless = (mail: MailRow) =>
    explainReason(mail.last_fault ?? '', true).helps === 'correct'
  const [hopeful, hopeless] = [mails.filter((mail) => !isHopeless(mail)), mails.filter(isHopeless)]
  const ids = hopeful.map(({ id }) => id).filter((id) => retryable.includes(id))
  return (
    <>
      {mails.length === 0 && (
        <Section heading={list.data ? 'No mail has failed' : pending} query={list} />
      )}
      <SimpleGrid>
        <Section
          heading={`${number(hopeful.length)} worth another try`}
          note={reasonsOf(hopeful)}
          actions={
            ids.length > 1 && (
              <ActButton
                words={ids.length === 2 ? 'Retry both' : `Retry all ${ids.length}`}
                variant="filled"
                act={() => api.mail.retry.mutate({ ids })}
                done={`${ids.length} mails go out again.`}
              />
            )
          }
          rows={hopeful.map((mail) => ({
            ...personIn(mail),
            acts: ids.includes(mail.id) && (
              <ActButton
                key={mail.id}
                words="Retry"
                aria-label={`Retry: ${mail.address}`}
                act={() => api.mail.retry.mutate({ ids: [mail.id] })}
                done="The mail goes out again."
              />
            ),
          }))}
        />
        <Section
          heading={`${number(hopeless.length)} that will fail again`}
          note={`${reasonsOf(hopeless)} Correct the address and the mail goes out again. Trying the same address again only harms your standing with other mail servers.`}
          rows={hopeless.map((mail) => ({
            ...personIn(mail),
            acts: (
              <a href={hrefOf(`people/${mail.subscriber}`)} aria-label={`Correct: ${mail.address}`}>
                Correct
              </a>
            ),
          }))}
        />
      </SimpleGrid>
    </>
  )
}

/** Each once: "The mailbox is full. (552 to DATA)" */
function reasonsOf(failed: readonly MailRow[]): string {
  const reasons = failed.map((mail) => explainReason(mail.last_fault ?? '', true))
  return [...new Set(reasons.map(({ words, code }) => `${words} (${code})`))].join(' ')
}

function SentMail() {
  const [below, setBelow] = useRemembered<number | undefined>('sent-below', undefined)
  const list = useQuery(trpc.mail.list.queryOptions({ state: 'sent', below }))
  const { mails, hasMore } = list.data ?? {}
  return (
    <Section
      heading={
        mails?.length === 0 ? 'Nothing has been sent yet' : 'Sent, by when each began to wait'
      }
      query={list}
      rows={mails?.map(personIn)}
    >
      {below !== undefined && <LinkButton onClick={() => setBelow(undefined)}>Newest</LinkButton>}
      {hasMore && <LinkButton onClick={() => setBelow(mails?.at(-1)?.id)}>Older</LinkButton>}
    </Section>
  )
}

/** Names the person, what the mail is about, and when it was queued, which the order follows. */
function personIn({ subscriber, address, announced, queued_at: at }: MailRow): RowProps {
  const words = <a href={hrefOf(`people/${subscriber}`)}>{address}</a>
  const note = announced === null ? 'starter mail' : `announcement ${announced}`
  return { words, note, axis: momentOf(at) }
}

import { Anchor, Button } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ActButton } from '../acts.tsx'
import { type Answers, api, type Sent, trpc, useRemembered } from '../api.ts'
import { counted, momentOf, number, shortSpanOf, spanOf, timeOf } from '../format.ts'
import { go, Link, linkTo } from '../location.tsx'
import {
  Address,
  askedAgain,
  LinkButton,
  LoadError,
  localTimes,
  pending,
  Section,
  Switch,
  View,
} from '../parts.tsx'
import { Plot } from '../plot.tsx'
import { useCorrecting } from './people/person.tsx'

type MailState = Answers['mail']['show']
type MailRow = Answers['mail']['list']['mails'][number]
type Group = Sent['mail']['list']['state']

export function Mail() {
  const [group, setGroup] = useRemembered<Group | undefined>('mail', undefined)
  const query = useQuery(trpc.mail.show.queryOptions())
  const state = query.data
  const hasOnlyFailed = state?.waiting === 0 && state.failed > 0
  const shown = group ?? (hasOnlyFailed ? 'failed' : 'waiting')
  return (
    <View
      heading={state ? headingFor(state) : pending}
      sentence={state && sentenceFor(state)}
      actions={
        <Switch
          label="Mails"
          value={shown}
          options={{
            waiting: `Waiting ${state ? number(state.waiting) : ''}`,
            failed: `Failed ${state ? number(state.failed) : ''}`,
            sent: 'Sent',
          }}
          onChoose={setGroup}
        />
      }
      query={query}
      foot={`${localTimes} ${askedAgain}`}
    >
      {state && shown === 'waiting' && <Waiting state={state} />}
      {shown === 'failed' && <Failed />}
      {shown === 'sent' && <SentMail />}
    </View>
  )
}

function headingFor({ mail: { trouble }, at }: MailState): string {
  return trouble ? `Mail has been ${trouble.kind} for ${spanOf(at - trouble.since)}.` : 'Mail goes out.'
}

function sentenceFor({ mail: { trouble, lastSentAt }, waiting, failed, nextTryAt }: MailState): string {
  if (trouble) {
    const next = nextTryAt === null ? '' : `, next at ${timeOf(nextTryAt)}`
    return `${trouble.reason.words} Nothing is lost: ${counted(waiting, 'mail is', 'mails are')} waiting and tried again automatically${next}.`
  }
  const sentences = [
    lastSentAt === null ? 'Nothing has been sent yet.' : `Last sent ${momentOf(lastSentAt)}.`,
    waiting === 0 ? 'No mail is waiting.' : `${counted(waiting, 'mail is', 'mails are')} waiting.`,
  ]
  if (failed > 0) sentences.push(`${counted(failed, 'mail')} of the last 7 days failed for good.`)
  return sentences.join(' ')
}

function Waiting({ state }: { state: MailState }) {
  const [all, setAll] = useRemembered('all-waiting', false)
  const list = useQuery(trpc.mail.list.queryOptions({ state: 'waiting' }))
  const shown = list.data?.mails.slice(0, all ? undefined : 5) ?? []
  return (
    <>
      {state.waiting > 0 && (
        <div className="halves halves-7-5">
          <Why reasons={state.reasons} />
          <Section
            heading="Who is waiting"
            query={list}
            rows={shown.map((mail) => ({
              ...personIn(mail, counted(mail.tries, 'try', 'tries')),
              axis: shortSpanOf(state.at - mail.queuedAt),
            }))}
          >
            {!all && state.waiting > shown.length && (
              <LinkButton onClick={() => setAll(true)}>All {number(state.waiting)}</LinkButton>
            )}
          </Section>
        </div>
      )}
      <WaitingPlot state={state} />
    </>
  )
}

/** Reasons by size: what was said, what to do. */
function Why({ reasons }: Pick<MailState, 'reasons'>) {
  return (
    <Section
      heading="Why"
      rows={reasons.map(({ reason, count, oneId }) => ({
        id: reason?.code ?? '',
        mark: reason?.helps === 'owner' ? 'wrong' : 'look',
        words: (
          <>
            <strong>{reason?.words ?? 'Not tried yet.'}</strong>
            {reason && (
              <dl className="why">
                <dt>Said</dt>
                <dd className="note">{reason.code}</dd>
                <dt>Do</dt>
                <dd>{reason.advice}</dd>
              </dl>
            )}
            {reason?.helps === 'owner' && (
              <div className="actions">
                <ActButton
                  variant="filled"
                  act={() => api.mail.retry.mutate({ ids: [oneId] })}
                  done="One mail is tried now."
                >
                  Try one now
                </ActButton>
                <Button component="a" {...linkTo('check-up')}>
                  Run the check-up
                </Button>
              </div>
            )}
          </>
        ),
        axis: number(count),
      }))}
    />
  )
}

function WaitingPlot({ state: { waiting, mail, waitingByFiveMinutes } }: { state: MailState }) {
  if (waitingByFiveMinutes.every(({ count }) => count === 0))
    return (
      <Section heading="No mail is waiting">
        <p>None has waited for five minutes or more in the last 12 hours.</p>
      </Section>
    )
  const lastSent = waitingByFiveMinutes.findLast(({ at }) => at <= (mail.lastSentAt ?? 0))
  return (
    <Section
      heading={waiting === 0 ? 'No mail is waiting' : `${counted(waiting, 'mail is', 'mails are')} waiting`}
      note="The last 12 hours."
    >
      <Plot
        name="Mails waiting, every 5 minutes"
        labels={waitingByFiveMinutes.map(({ at }) => timeOf(at))}
        labelsColumn="Time"
        labelEvery={24}
        series={[
          { as: 'bars', name: 'Mails waiting', values: waitingByFiveMinutes.map(({ count }) => count) },
        ]}
        notes={mail.trouble && lastSent ? [{ label: timeOf(lastSent.at), words: 'last mail sent' }] : []}
      />
    </Section>
  )
}

/** Grouped by what helps. Each group has its own act, none has one for both. */
function Failed() {
  const list = useQuery(trpc.mail.list.queryOptions({ state: 'failed' }))
  const [, correct] = useCorrecting()
  const failed = Map.groupBy(list.data?.mails ?? [], ({ reason }) => reason?.helps === 'correct')
  const [retryable, hopeless] = [failed.get(false) ?? [], failed.get(true) ?? []]
  const ids = retryable.filter(({ canRetry }) => canRetry).map(({ id }) => id)
  const retry = (some: number[]) => () => api.mail.retry.mutate({ ids: some })
  return (
    <>
      <LoadError of={list} />
      {list.data?.mails.length === 0 && <p className="empty">No mail has failed.</p>}
      <div className="halves">
        {retryable.length > 0 && (
          <Section
            heading={`${number(retryable.length)} worth another try`}
            note={reasonsOf(retryable)}
            actions={
              ids.length > 1 && (
                <ActButton variant="filled" act={retry(ids)} done={`${ids.length} mails go out again.`}>
                  {ids.length === 2 ? 'Retry both' : `Retry all ${ids.length}`}
                </ActButton>
              )
            }
            rows={retryable.map((mail) => ({
              ...finished(mail),
              acts: mail.canRetry && (
                <ActButton
                  variant="transparent"
                  className="link-button"
                  aria-label={`Retry: ${mail.address}`}
                  act={retry([mail.id])}
                  done="The mail goes out again."
                >
                  Retry
                </ActButton>
              ),
            }))}
          />
        )}
        {hopeless.length > 0 && (
          <Section
            heading={`${number(hopeless.length)} that will fail again`}
            note={reasonsOf(hopeless)}
            rows={hopeless.map((mail) => ({
              ...finished(mail),
              acts: (
                <LinkButton
                  aria-label={`Correct: ${mail.address}`}
                  onClick={() => (correct(mail.personId), go(`people/${mail.personId}`))}
                >
                  Correct
                </LinkButton>
              ),
            }))}
          >
            <p className="soft">
              Correct the address and the mail goes out again. Trying the same address again only harms your
              standing with other mail servers.
            </p>
          </Section>
        )}
      </div>
    </>
  )
}

/** Each once: "The mailbox is full. 552 to DATA" */
function reasonsOf(failed: readonly MailRow[]): string {
  const reasons = failed.flatMap(({ reason }) => (reason ? [`${reason.words} ${reason.code}`] : []))
  return [...new Set(reasons)].join(' · ')
}

function SentMail() {
  const [below, setBelow] = useRemembered<number | undefined>('sent-below', undefined)
  const list = useQuery({
    ...trpc.mail.list.queryOptions({ state: 'sent', ...(below !== undefined && { below }) }),
    placeholderData: keepPreviousData,
  })
  const { mails = [], hasMore } = list.data ?? {}
  return (
    <Section heading="Sent" query={list} rows={mails.map(finished)}>
      {list.data && mails.length === 0 && <p>Nothing has been sent yet.</p>}
      <p className="pages">
        {below !== undefined && <LinkButton onClick={() => setBelow(undefined)}>Newest</LinkButton>}
        {hasMore && <LinkButton onClick={() => setBelow(mails.at(-1)?.id)}>Older</LinkButton>}
      </p>
    </Section>
  )
}

function finished(mail: MailRow) {
  return { ...personIn(mail), axis: momentOf(mail.finishedAt ?? mail.queuedAt) }
}

/** The cell of a row: to whom, and about what. */
function personIn(
  { id, personId, address, announced }: MailRow,
  more?: string,
): { id: number; words: ReactNode } {
  const about = announced === null ? 'starter mail' : `announcement ${announced}`
  const words = (
    <Anchor component={Link} to={`people/${personId}`} className="who">
      <Address>{address}</Address>
      <span className="note below">{more === undefined ? about : `${about} · ${more}`}</span>
    </Anchor>
  )
  return { id, words }
}

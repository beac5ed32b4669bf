import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Mail as MailRow, MailGroup, MailState } from '../../contract.ts'
import { ActButton, act } from '../acts.tsx'
import { useDesk, useRemembered } from '../api.ts'
import { counted, momentOf, number, shortSpanOf, spanOf, timeOf } from '../format.ts'
import { Address, askedAgain, Button, LoadError, localTimes, Section, Switch, View } from '../parts.tsx'
import { Plot } from '../plot.tsx'

export function Mail() {
  const [group, setGroup] = useRemembered<MailGroup | undefined>('mail', undefined)
  const query = useDesk('GET mail', {})
  const state = query.data
  const hasOnlyFailed = state?.counts.waiting === 0 && state.counts.failed > 0
  const shown = group ?? (hasOnlyFailed ? 'failed' : 'waiting')
  const count = (id: keyof MailState['counts']) =>
    state && <span className="note">{number(state.counts[id])}</span>
  return (
    <View
      heading={state ? headingFor(state) : '–'}
      sentence={state && sentenceFor(state)}
      actions={
        <Switch
          label="Mails"
          value={shown}
          options={[
            ['waiting', <>Waiting {count('waiting')}</>],
            ['failed', <>Failed {count('failed')}</>],
            ['sent', 'Sent'],
          ]}
          onChoose={setGroup}
        />
      }
      query={query}
      foot={`${localTimes} ${askedAgain}`}
    >
      {state && shown === 'waiting' && <Waiting state={state} />}
      {shown === 'failed' && <Failed />}
      {shown === 'sent' && <Sent />}
    </View>
  )
}

function headingFor({ trouble, at }: MailState): string {
  return trouble ? `Mail has been ${trouble.kind} for ${spanOf(at - trouble.since)}.` : 'Mail flows.'
}

function sentenceFor({ trouble, counts: { waiting, failed }, lastSentAt, nextTryAt }: MailState): string {
  if (trouble) {
    const next = nextTryAt === null ? '' : `, next at ${timeOf(nextTryAt)}`
    return `${trouble.reason.words} Nothing is lost: ${counted(waiting, 'mail')} wait and are tried again automatically${next}.`
  }
  const sentences = [
    lastSentAt === null ? 'None was sent yet.' : `Last sent ${momentOf(lastSentAt)}.`,
    waiting === 0 ? 'None waits.' : `${counted(waiting, 'mail')} wait.`,
  ]
  if (failed > 0) sentences.push(`${counted(failed, 'mail')} of the last 7 days failed for good.`)
  return sentences.join(' ')
}

function Waiting({ state }: { state: MailState }) {
  const [all, setAll] = useRemembered('all-waiting', false)
  const list = useDesk('GET mail/list', { state: 'waiting' })
  const count = state.counts.waiting
  const shown = list.data?.mails.slice(0, all ? undefined : 5) ?? []
  return (
    <>
      {count > 0 && (
        <div className="halves halves-7-5">
          <Why reasons={state.reasons} />
          <Section
            heading="Who waits"
            query={list}
            rows={shown.map((mail) => ({
              ...personIn(mail, counted(mail.tries, 'try', 'tries')),
              axis: shortSpanOf(state.at - mail.queuedAt),
            }))}
          >
            {!all && count > shown.length && (
              <p className="more">
                <Button kind="link" onPress={() => setAll(true)}>
                  All {number(count)}
                </Button>
              </p>
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
            <strong className="finding">{reason?.words ?? 'Not tried yet.'}</strong>
            {reason && (
              <dl className="why">
                <dt>Said</dt>
                <dd className="note">{reason.code}</dd>
                <dt>Do</dt>
                <dd>{reason.advice}</dd>
              </dl>
            )}
            {reason?.helps === 'owner' && <TryOne id={oneId} />}
          </>
        ),
        axis: number(count),
      }))}
    />
  )
}

function TryOne({ id }: { id: number }) {
  return (
    <div className="actions">
      <ActButton
        kind="main"
        onPress={() => act('POST mail/retry', { ids: [id] }, { done: 'One is tried now.' })}
      >
        Try one now
      </ActButton>
      <Link className="plain-button" to="/check-up">
        Run the check-up
      </Link>
    </div>
  )
}

function WaitingPlot({ state: { counts, trouble, lastSentAt, waitingByFiveMinutes } }: { state: MailState }) {
  const values = waitingByFiveMinutes.map(({ count }) => count)
  const labels = waitingByFiveMinutes.map(({ at }) => timeOf(at))
  const lastSent = waitingByFiveMinutes.findLastIndex(({ at }) => at <= (lastSentAt ?? 0))
  return (
    <Section
      heading={counts.waiting === 0 ? 'None waits.' : `${counted(counts.waiting, 'mail')} wait`}
      note="The last 12 hours."
      className="plot-part"
    >
      <Plot
        name="Mails waiting"
        labels={labels}
        labelsColumn="Time"
        labelEvery={12}
        series={[{ as: 'bars', name: 'mails waiting, every 5 minutes', column: 'Waiting', values }]}
        spoken={(index) => `${labels[index]}: ${number(values[index] ?? 0)}`}
        unit="time"
        notes={trouble && lastSent >= 0 ? [{ index: lastSent, words: 'last mail sent' }] : []}
      />
    </Section>
  )
}

/** Grouped by what helps. Each group has its own act, none has one for both. */
function Failed() {
  const list = useDesk('GET mail/list', { state: 'failed' })
  const failed = Map.groupBy(list.data?.mails ?? [], ({ reason }) => reason?.helps === 'correct')
  const [retryable, hopeless] = [failed.get(false) ?? [], failed.get(true) ?? []]
  if (list.data?.mails.length === 0) return <p className="empty">None failed.</p>
  const ids = retryable.filter(({ canRetry }) => canRetry).map(({ id }) => id)
  const retry = (some: number[]) => {
    const announced = `${counted(some.length, 'mail goes', 'mails go')} out in 10 seconds.`
    return act('POST mail/retry', { ids: some }, { announced })
  }
  return (
    <>
      <LoadError of={list} />
      <div className="halves">
        <Section
          heading={`${number(retryable.length)} worth another try`}
          note={reasonsOf(retryable)}
          actions={
            ids.length > 1 && (
              <ActButton kind="main" onPress={() => retry(ids)}>
                {ids.length === 2 ? 'Retry both' : `Retry all ${ids.length}`}
              </ActButton>
            )
          }
          rows={retryable.map((mail) => ({
            ...finished(mail),
            acts: mail.canRetry && (
              <ActButton kind="link" label={`Retry: ${mail.address}`} onPress={() => retry([mail.id])}>
                Retry
              </ActButton>
            ),
          }))}
        />
        <Section
          heading={`${number(hopeless.length)} that will fail again`}
          note={reasonsOf(hopeless)}
          rows={hopeless.map((mail) => ({
            ...finished(mail),
            acts: (
              <Link
                className="text-button"
                to={`/people/${mail.personId}`}
                state="correct"
                aria-label={`Correct: ${mail.address}`}
              >
                Correct
              </Link>
            ),
          }))}
        >
          <p className="soft part-note">
            Correct the address and the mail goes out again. Trying the same address again only harms your
            standing with other mail servers.
          </p>
        </Section>
      </div>
    </>
  )
}

/** Each once: "The mailbox is full. 552 to DATA" */
function reasonsOf(failed: readonly MailRow[]): string {
  const reasons = failed.flatMap(({ reason }) => (reason ? [`${reason.words} ${reason.code}`] : []))
  return [...new Set(reasons)].join(' · ')
}

function Sent() {
  const [below, setBelow] = useRemembered<number | undefined>('sent-below', undefined)
  const list = useDesk('GET mail/list', { state: 'sent', ...(below !== undefined && { below }) })
  const { mails = [], hasMore } = list.data ?? {}
  return (
    <Section heading="Sent" query={list} rows={mails.map(finished)}>
      {hasMore && (
        <p className="more">
          <Button kind="link" onPress={() => setBelow(mails.at(-1)?.id)}>
            Older
          </Button>
        </p>
      )}
    </Section>
  )
}

function finished(mail: MailRow) {
  return { ...personIn(mail), axis: momentOf(mail.finishedAt ?? mail.queuedAt) }
}

/** The cell of a row: to whom, and about what. */
function personIn({ id, personId, address, kind }: MailRow, more?: string): { id: number; words: ReactNode } {
  const about = kind === 'sign-up' ? kind : `version ${kind}`
  const words = (
    <Link className="who" to={`/people/${personId}`}>
      <Address>{address}</Address>
      <span className="note below">{more === undefined ? about : `${about} · ${more}`}</span>
    </Link>
  )
  return { id, words }
}

import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { deskText } from '#content/desk.ts'
import type { Mail as MailRow, MailGroup, MailState } from '../../contract.ts'
import { call, refresh, useDesk } from '../api.ts'
import { momentOf, number, shortSpanOf, spanOf, timeOf } from '../format.ts'
import { useToast, useWriteBar } from '../frame.tsx'
import { Address, AxisRow, Button, LoadFault, Section, Switch, useRemembered, View } from '../parts.tsx'
import { Key, Plot } from '../plot.tsx'

const words = deskText.mail

export function Mail() {
  const [group, setGroup] = useRemembered<MailGroup | undefined>('mail', undefined)
  const mail = useDesk('GET mail', {})
  const state = mail.data
  const shown =
    group ?? (state && state.counts.waiting === 0 && state.counts.failed > 0 ? 'failed' : 'waiting')
  const heading = state?.trouble
    ? words[state.trouble.kind](spanOf(state.at - state.trouble.since))
    : words.flows
  return (
    <View
      heading={state ? heading : '–'}
      sentence={state && sentenceFor(state)}
      actions={
        <Switch
          name={words.groupsName}
          choices={(['waiting', 'failed', 'sent'] as const).map((id) => ({
            id,
            words: words.groups[id],
            count: id === 'sent' || !state ? undefined : number(state.counts[id]),
          }))}
          chosen={shown}
          onChoose={setGroup}
        />
      }
    >
      <LoadFault of={mail} />
      {state && shown === 'waiting' && <Waiting state={state} />}
      {shown === 'failed' && <Failed />}
      {shown === 'sent' && <Sent />}
      <p className="foot soft">
        {words.times} {deskText.askedAgain}
      </p>
    </View>
  )
}

function sentenceFor({ trouble, counts, lastSentAt, nextTryAt }: MailState): string {
  if (trouble) {
    const next = nextTryAt === null ? '.' : `${words.next(timeOf(nextTryAt))}.`
    return `${words.troubleText(trouble.reason.words, words.mails(number(counts.waiting)))}${next}`
  }
  return [
    lastSentAt === null ? words.neverSent : words.lastSent(momentOf(lastSentAt)),
    counts.waiting === 0 ? words.noneWaits : words.waits(words.mails(number(counts.waiting))),
    counts.failed > 0 && words.failedNote(words.mails(number(counts.failed))),
  ]
    .filter(Boolean)
    .join(' ')
}

/** Retries once the time to undo is over. */
function useRetry() {
  const show = useToast()
  const bar = useWriteBar()
  const retry = (ids: readonly number[]) =>
    show({
      words: words.goOut(ids.length),
      act: () =>
        call('POST mail/retry', { ids: [...ids] }).then(refresh, (fault: Error) =>
          show({ words: fault.message }),
        ),
    })
  return { retry, isBarred: bar !== undefined }
}

function Waiting({ state }: { state: MailState }) {
  const [all, setAll] = useRemembered('all-waiting', false)
  const list = useDesk('GET mail/list', { state: 'waiting' })
  const mails = list.data?.mails ?? []
  const shown = all ? mails : mails.slice(0, 5)
  const count = state.counts.waiting
  return (
    <>
      {count > 0 && (
        <div className="halves halves-7-5">
          <Why state={state} />
          <Section heading={words.whoWaits}>
            <LoadFault of={list} />
            <ul className="rows rows-axis">
              {shown.map((mail) => (
                <AxisRow key={mail.id} axis={shortSpanOf(state.at - mail.queuedAt)}>
                  <Who mail={mail} note={`${kindOf(mail)} · ${words.tries(mail.tries)}`} />
                </AxisRow>
              ))}
            </ul>
            {!all && count > shown.length && (
              <p className="more">
                <Button kind="link" onPress={() => setAll(true)}>
                  {words.all(number(count))}
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
function Why({ state }: { state: MailState }) {
  const show = useToast()
  const bar = useWriteBar()
  const tryOne = (id: number) =>
    call('POST mail/retry', { ids: [id] }).then(
      () => (show({ words: words.tried }), refresh()),
      (fault: Error) => show({ words: fault.message }),
    )
  return (
    <Section heading={words.why}>
      <ul className="rows rows-axis">
        {state.reasons.map(({ reason, count, oneId }) => (
          <AxisRow
            key={reason?.code ?? ''}
            mark={reason?.helps === 'owner' ? 'wrong' : 'look'}
            axis={number(count)}
          >
            <strong className="finding">{reason?.words ?? words.notTried}</strong>
            {reason && (
              <dl className="why">
                <dt>{words.said}</dt>
                <dd className="note">{reason.code}</dd>
                <dt>{words.do}</dt>
                <dd>{reason.advice}</dd>
              </dl>
            )}
            {reason?.helps === 'owner' && (
              <div className="actions">
                <Button kind="main" disabled={bar !== undefined} onPress={() => tryOne(oneId)}>
                  {words.tryOne}
                </Button>
                <Link className="plain-button" to="/check-up">
                  {words.runCheckUp}
                </Link>
              </div>
            )}
          </AxisRow>
        ))}
      </ul>
    </Section>
  )
}

function WaitingPlot({ state }: { state: MailState }) {
  const points = state.waitingByFiveMinutes
  const bars = points.map(({ count }) => count)
  const labels = points.map(({ at }) => timeOf(at))
  const { plot } = words
  return (
    <Section
      heading={
        state.counts.waiting === 0 ? words.noneWaits : plot.heading(words.mails(number(state.counts.waiting)))
      }
      note={plot.note}
      className="plot-part"
    >
      <Plot
        name={plot.name}
        bars={bars}
        lines={[]}
        labels={labels}
        spoken={(index) => `${labels[index]}: ${number(bars[index] ?? 0)}`}
        labelEvery={12}
        format={number}
        unit={plot.unit}
        columns={[
          { heading: plot.columns.at, cell: (index) => labels[index] ?? '' },
          { heading: plot.columns.waiting, cell: (index) => number(bars[index] ?? 0) },
        ]}
        legend={<Key of="bars">{plot.legend}</Key>}
      />
    </Section>
  )
}

/** Grouped by what helps. Each group has its own act, none has one for both. */
function Failed() {
  const list = useDesk('GET mail/list', { state: 'failed' })
  const mails = list.data?.mails ?? []
  const isHopeless = ({ reason }: MailRow) => reason?.helps === 'correct'
  if (list.data && mails.length === 0) return <p className="empty">{words.noneFailed}</p>
  return (
    <>
      <LoadFault of={list} />
      <div className="halves halves-6-6">
        <WorthAnotherTry mails={mails.filter((mail) => !isHopeless(mail))} />
        <Hopeless mails={mails.filter(isHopeless)} />
      </div>
    </>
  )
}

function WorthAnotherTry({ mails }: { mails: readonly MailRow[] }) {
  const { retry, isBarred } = useRetry()
  const ids = mails.filter(({ canRetry }) => canRetry).map(({ id }) => id)
  const all = ids.length > 1 && (
    <Button kind="main" disabled={isBarred} onPress={() => retry(ids)}>
      {words.retryAll(ids.length)}
    </Button>
  )
  return (
    <Section heading={words.retryable(number(mails.length))} note={reasonsOf(mails)} actions={all}>
      <ul className="rows rows-axis">
        {mails.map((mail) => (
          <MailLine key={mail.id} mail={mail}>
            {mail.canRetry && (
              <Button
                kind="link"
                disabled={isBarred}
                label={`${words.retry}: ${mail.address}`}
                onPress={() => retry([mail.id])}
              >
                {words.retry}
              </Button>
            )}
          </MailLine>
        ))}
      </ul>
    </Section>
  )
}

function Hopeless({ mails }: { mails: readonly MailRow[] }) {
  return (
    <Section heading={words.hopeless(number(mails.length))} note={reasonsOf(mails)}>
      <ul className="rows rows-axis">
        {mails.map((mail) => (
          <MailLine key={mail.id} mail={mail}>
            <Link
              className="text-button"
              to={`/people/${mail.personId}`}
              state="correct"
              aria-label={`${words.correct}: ${mail.address}`}
            >
              {words.correct}
            </Link>
          </MailLine>
        ))}
      </ul>
      <p className="soft part-note">{words.hopelessNote}</p>
    </Section>
  )
}

function MailLine({ mail, children }: { mail: MailRow; children?: ReactNode }) {
  return (
    <AxisRow axis={momentOf(mail.finishedAt ?? mail.queuedAt)}>
      <Who mail={mail} note={kindOf(mail)} />
      {children}
    </AxisRow>
  )
}

/** Each once: "The mailbox is full. 552 to DATA" */
function reasonsOf(mails: readonly MailRow[]): string {
  return [...new Set(mails.flatMap(({ reason }) => (reason ? [`${reason.words} ${reason.code}`] : [])))].join(
    ' · ',
  )
}

function Sent() {
  const [below, setBelow] = useRemembered<number | undefined>('sent-below', undefined)
  const list = useDesk('GET mail/list', { state: 'sent', ...(below !== undefined && { below }) })
  const last = list.data?.mails.at(-1)?.id
  return (
    <Section heading={words.sentHeading}>
      <LoadFault of={list} />
      <ul className="rows rows-axis">
        {list.data?.mails.map((mail) => (
          <MailLine key={mail.id} mail={mail} />
        ))}
      </ul>
      {list.data?.hasMore && (
        <p className="more">
          <Button kind="link" onPress={() => setBelow(last)}>
            {words.older}
          </Button>
        </p>
      )}
    </Section>
  )
}

function Who({ mail, note }: { mail: MailRow; note: string }) {
  return (
    <Link className="who" to={`/people/${mail.personId}`}>
      <Address>{mail.address}</Address>
      <span className="note">{note}</span>
    </Link>
  )
}

function kindOf({ kind }: MailRow): string {
  return words.kinds[kind] ?? words.version(kind)
}

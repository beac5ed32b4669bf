import { type ReactNode, useState } from 'react'
import { deskText } from '#content/desk.ts'
import type { Announcement } from '../../contract.ts'
import { ActDialog } from '../act-dialog.tsx'
import { call, refresh } from '../api.ts'
import { number, share, timeOf } from '../format.ts'
import { useToast, useWriteBar } from '../frame.tsx'
import { AxisRow, Button, Section, View } from '../parts.tsx'
import { Key, Plot } from '../plot.tsx'
import { Bar } from './today.tsx'

const words = deskText.announce

export function WatchAnnouncement({
  announcement,
  children,
}: {
  announcement: Announcement
  children: ReactNode
}) {
  const hasCome = announcement.returned.length > 0
  return (
    <View
      heading={headingFor(announcement)}
      sentence={sentenceFor(announcement)}
      actions={<Acts announcement={announcement} />}
    >
      <div className="halves halves-5-7">
        <div>
          {announcement.reasons.length > 0 && <Reasons announcement={announcement} />}
          <AddsUp announcement={announcement} />
          {announcement.byHour.length > 0 && <ByHour announcement={announcement} />}
        </div>
        <div>{hasCome && <Returned announcement={announcement} />}</div>
      </div>
      {children}
      <p className="foot soft">{deskText.askedAgain}</p>
    </View>
  )
}

function headingFor({ version, state }: Announcement): string {
  switch (state) {
    case 'running':
      return words.goingOut(version)
    case 'paused':
      return words.paused(version)
    case 'paused-automatically':
      return words.pausedByItself(version)
    case 'cancelled':
      return words.cancelled(version)
    case 'done':
      return words.done(version)
  }
}

function sentenceFor({ state, sent, audience, endsAt, returned, returnedLimit }: Announcement): string {
  const last = returned.at(-1)
  if (state === 'paused-automatically' && last)
    return words.pausedText(share(last.returned, last.of, 1), percent(returnedLimit))
  const end = state === 'running' && endsAt !== null ? words.doneAt(timeOf(endsAt)) : ''
  const first = state === 'running' ? words.signUpsFirst : ''
  return [words.sentOf(number(sent), number(audience)), end, first].filter(Boolean).join(' ')
}

function percent(part: number): string {
  return `${Number((100 * part).toFixed(1))} %`
}

function Acts({ announcement: { version, state } }: { announcement: Announcement }) {
  const [asked, setAsked] = useState<'resume' | 'cancel'>()
  const show = useToast()
  const bar = useWriteBar()
  const pause = () =>
    call('POST announcements/pause', { version }).then(refresh, (fault: Error) =>
      show({ words: fault.message }),
    )
  if (state === 'done' || state === 'cancelled') return null
  const goOn = state === 'paused-automatically' ? words.goOnSlowly : words.goOn
  const isBarred = bar !== undefined
  return (
    <>
      {state === 'running' ? (
        <Button kind="main" disabled={isBarred} onPress={pause}>
          {words.pause}
        </Button>
      ) : (
        <Button kind="main" disabled={isBarred} onPress={() => setAsked('resume')}>
          {goOn}
        </Button>
      )}
      <Button disabled={isBarred} onPress={() => setAsked('cancel')}>
        {words.cancel}
      </Button>
      {asked === 'resume' && (
        <ActDialog
          heading={`${goOn}?`}
          label={goOn}
          needsProof
          act={() => call('POST announcements/resume', { version })}
          onClose={() => setAsked(undefined)}
        >
          <p>{words.goOnText}</p>
        </ActDialog>
      )}
      {asked === 'cancel' && (
        <ActDialog
          heading={words.cancelHeading(version)}
          label={words.cancel}
          act={() => call('POST announcements/cancel', { version })}
          onClose={() => setAsked(undefined)}
        >
          <p>{words.cancelText}</p>
        </ActDialog>
      )}
    </>
  )
}

function Reasons({ announcement }: { announcement: Announcement }) {
  return (
    <Section heading={words.whyBack}>
      <ul className="rows rows-axis">
        {announcement.reasons.map(({ reason, count }) => (
          <AxisRow key={reason.code} axis={number(count)}>
            <span>
              {reason.words}
              <span className="note reason">{reason.code}</span>
            </span>
          </AxisRow>
        ))}
      </ul>
    </Section>
  )
}

function AddsUp({ announcement }: { announcement: Announcement }) {
  return (
    <Section heading={words.addsUp}>
      <ul className="rows rows-axis">
        {(['sent', 'waiting', 'failed', 'leftSince', 'audience'] as const).map((row) => (
          <AxisRow key={row} axis={number(announcement[row])}>
            {row === 'audience' ? <strong>{words.rows[row]}</strong> : words.rows[row]}
          </AxisRow>
        ))}
      </ul>
    </Section>
  )
}

function ByHour({ announcement: { byHour } }: { announcement: Announcement }) {
  const most = Math.max(1, ...byHour.map(({ allowed }) => allowed))
  return (
    <Section heading={words.byHour} note={words.byHourNote}>
      <ul className="rows profile">
        {byHour.map(({ at, sent, allowed }) => (
          <li className="row-line" key={at}>
            <span>{timeOf(at)}</span>
            <span className="note">{words.ofAllowed(number(allowed))}</span>
            <Bar part={sent} of={most} />
            <span className="on-axis">{number(sent)}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Returned({ announcement: { returned, returnedLimit } }: { announcement: Announcement }) {
  const { plot } = words
  const shares = returned.map((one) => (one.of === 0 ? 0 : (100 * one.returned) / one.of))
  const labels = returned.map(({ at }) => timeOf(at))
  const last = returned.at(-1)
  const limit = percent(returnedLimit)
  return (
    <Section
      heading={words.cameBack(last ? share(last.returned, last.of, 1) : '–')}
      note={words.cameBackNote(limit)}
      className="plot-part"
    >
      <Plot
        name={plot.name}
        bars={undefined}
        lines={[
          { kind: 'stop', values: shares.map(() => 100 * returnedLimit) },
          { kind: 'fast', values: shares },
        ]}
        labels={labels}
        spoken={(index) => `${labels[index]}: ${(shares[index] ?? 0).toFixed(1)} %`}
        labelEvery={12}
        format={(value) => value.toFixed(1)}
        unit={plot.unit}
        columns={[
          { heading: plot.columns.at, cell: (index) => labels[index] ?? '' },
          { heading: plot.columns.returned, cell: (index) => number(returned[index]?.returned ?? 0) },
          { heading: plot.columns.of, cell: (index) => number(returned[index]?.of ?? 0) },
          { heading: plot.columns.share, cell: (index) => (shares[index] ?? 0).toFixed(1) },
        ]}
        legend={
          <>
            <Key of="fast">{plot.returned}</Key>
            <Key of="stop">{plot.limit}</Key>
          </>
        }
      />
    </Section>
  )
}

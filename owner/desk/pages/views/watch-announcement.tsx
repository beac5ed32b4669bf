import type { ReactNode } from 'react'
import type { Announcement } from '../../contract.ts'
import { ActDialog } from '../act-dialog.tsx'
import { ActButton, act } from '../acts.tsx'
import { call } from '../api.ts'
import { number, share, timeOf } from '../format.ts'
import { askedAgain, Section, View } from '../parts.tsx'
import { Plot } from '../plot.tsx'

const headings = {
  running: 'is going out.',
  paused: 'is paused.',
  'paused-automatically': 'has paused automatically.',
  cancelled: 'was cancelled.',
  done: 'is out.',
}

/** One announcement: how it goes, and what came back. */
type Props = { announcement: Announcement }

export function WatchAnnouncement({ announcement, children }: Props & { children: ReactNode }) {
  const { version, state, reasons, byHour, returned, sent, waiting, failed, leftSince, audience } =
    announcement
  const mostAnHour = Math.max(1, ...byHour.map(({ allowed }) => allowed))
  return (
    <View
      heading={`${version} ${headings[state]}`}
      sentence={sentenceFor(announcement)}
      actions={state !== 'done' && state !== 'cancelled' && <Acts announcement={announcement} />}
      foot={askedAgain}
    >
      <div className="halves halves-5-7">
        <div>
          {reasons.length > 0 && (
            <Section
              heading="Why they came back"
              rows={reasons.map(({ reason, count }) => ({
                words: reason.words,
                note: reason.code,
                axis: number(count),
              }))}
            />
          )}
          <Section
            heading="It adds up"
            rows={[
              { words: 'Sent', axis: number(sent) },
              { words: 'Waiting', axis: number(waiting) },
              { words: 'Failed', axis: number(failed) },
              { words: 'Left since', axis: number(leftSince) },
              { id: 'Audience', words: <strong>Audience</strong>, axis: number(audience) },
            ]}
          />
          {byHour.length > 0 && (
            <Section
              heading="Hour by hour"
              note="Sent, of what was allowed."
              rows={byHour.map((hour) => ({
                words: timeOf(hour.at),
                note: `of ${number(hour.allowed)}`,
                share: hour.sent / mostAnHour,
                axis: number(hour.sent),
              }))}
            />
          )}
        </div>
        <div>{returned.length > 0 && <Returned announcement={announcement} />}</div>
      </div>
      {children}
    </View>
  )
}

function sentenceFor({ state, sent, audience, endsAt, returned, returnedLimit }: Announcement): string {
  const last = returned.at(-1)
  if (state === 'paused-automatically' && last)
    return `${share(last.returned, last.of, 1)} of the last 500 mails came back; the limit is ${percent(returnedLimit)}. Going on now can land all your mail in spam. Sign-up mail still goes out.`
  const progress = `${number(sent)} of ${number(audience)} sent.`
  if (state !== 'running') return progress
  const end = endsAt === null ? '' : ` Done at about ${timeOf(endsAt)}.`
  return `${progress}${end} Sign-up mail goes first.`
}

function percent(part: number): string {
  return `${Number((100 * part).toFixed(1))} %`
}

function Acts({ announcement: { version, state } }: Props) {
  const goOn = state === 'paused-automatically' ? 'Go on, slowly' : 'Go on'
  return (
    <>
      {state === 'running' ? (
        <ActButton kind="main" onPress={() => act('POST announcements/pause', { version })}>
          Pause
        </ActButton>
      ) : (
        <ActDialog
          button={goOn}
          buttonProps={{ kind: 'main' }}
          needsProof
          act={() => call('POST announcements/resume', { version })}
        >
          <p>It begins again with 100 an hour, without those whose mail came back.</p>
        </ActDialog>
      )}
      <ActDialog
        button="Cancel the rest"
        heading={`Cancel the rest of ${version}?`}
        act={() => call('POST announcements/cancel', { version })}
      >
        <p>Those who wait for it get no mail. What was sent stays sent.</p>
      </ActDialog>
    </>
  )
}

function Returned({ announcement: { state, returned, returnedLimit } }: Props) {
  const shares = returned.map((one) => (one.of === 0 ? 0 : (100 * one.returned) / one.of))
  const labels = returned.map(({ at }) => timeOf(at))
  const last = returned.at(-1)
  const count = (column: string, field: 'returned' | 'of') => ({
    column,
    values: returned.map((one) => one[field]),
  })
  return (
    <Section
      heading={`${last ? share(last.returned, last.of, 1) : '–'} came back`}
      note={`It pauses automatically above ${percent(returnedLimit)}.`}
      className="plot-part"
    >
      <Plot
        name="Share returned"
        labels={labels}
        labelsColumn="Time"
        labelEvery={12}
        series={[
          count('Returned', 'returned'),
          count('Of sent', 'of'),
          { as: 'fast', name: 'returned, % of the last 500', column: '%', values: shares },
          { as: 'stop', name: 'pauses automatically', values: shares.map(() => 100 * returnedLimit) },
        ]}
        spoken={(index) => `${labels[index]}: ${(shares[index] ?? 0).toFixed(1)} %`}
        unit="%"
        notes={state.startsWith('paused') ? [{ index: labels.length - 1, words: 'Paused ▼' }] : []}
      />
    </Section>
  )
}

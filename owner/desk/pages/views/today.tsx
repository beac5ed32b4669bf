import { type ComponentProps, useState } from 'react'
import { Link } from 'react-router'
import { shareOf } from '../../../stats/share.ts'
import type { Announcement, Today as TodayState } from '../../contract.ts'
import { ActButton, act } from '../acts.tsx'
import { hasCode, useToday } from '../api.ts'
import { number, share, size, spanOf, timeOf } from '../format.ts'
import { askedAgain, Disclosure, Glyph, pause, Rows, Section, View } from '../parts.tsx'
import { troublesOf } from '../troubles.ts'
import { nameOf, SignUps } from './sign-ups.tsx'
import { PasskeyOffer } from './you.tsx'

/** Says first if all is well; the figures come after it. */
export function Today() {
  const [chosen, setChosen] = useState<string>()
  const query = useToday()
  const { data: today, error, dataUpdatedAt } = query
  const isAway = hasCode(error, 'database-away')
  const away = {
    heading: 'The database does not answer.',
    sentence: `This is what the desk knew at ${timeOf(dataUpdatedAt)}. New sign-ups are refused until it answers. The desk tries again every 10 seconds.`,
  }
  if (!today) return <View heading={isAway ? away.heading : '–'} query={query} />
  return (
    <View {...(isAway ? away : { ...headOf(today), query })} foot={`Days are UTC days. ${askedAgain}`}>
      <StatusStrip today={today} />
      {today.announcement && <UnderWay announcement={today.announcement} />}
      <SignUps today={today} row={today.plot.rows.find((row) => keyOf(row) === chosen)} />
      <div className="halves">
        <Funnel period={today.period} />
        <Attribution today={today} chosen={chosen} onChoose={setChosen} />
      </div>
      <PasskeyOffer />
    </View>
  )
}

/** The gravest trouble takes the heading; the others are sentences below. */
function headOf(today: TodayState): ComponentProps<typeof View> {
  const [worst, ...others] = troublesOf(today)
  const { at, disk, lastSignUpAt } = today
  if (worst)
    return {
      heading: worst.heading,
      sentence: [worst.text, ...others.map(({ heading, text }) => `${heading} ${text}`)].map((one) => (
        <p key={one}>{one}</p>
      )),
      actions: (
        <Link className="button" to={`/${worst.view}`}>
          See what to do
        </Link>
      ),
    }
  const flows = `Mail flows and none is stuck. The database answers, ${disk ? 'the disk has room, ' : ''}no alarm is open.`
  if (lastSignUpAt === null)
    return {
      heading: 'All is well.',
      sentence: `${flows} Nobody has signed up yet.`,
      actions: (
        <a className="plain-button" href="/">
          Open your page
        </a>
      ),
    }
  return { heading: 'All is well.', sentence: `${flows} Last sign-up ${spanOf(at - lastSignUpAt)} ago.` }
}

/** Folded on a phone. */
function StatusStrip({ today: { mail, waiting, database, disk, alarms, at } }: { today: TodayState }) {
  const { lastSentAt, trouble } = mail
  const ms = database.answeredInMs < 1 ? '<1' : number(Math.round(database.answeredInMs))
  const statuses: [name: string, isWell: boolean, value: string][] = [
    ['Mail', !trouble, lastSentAt === null ? 'none sent yet' : `last sent ${timeOf(lastSentAt)}`],
    ['Waiting', !trouble, number(waiting.count)],
    ['Database', true, `answers, ${ms} ms`],
    ['Disk', !disk?.isLow, disk ? `${size(disk.freeBytes)} free` : 'not on this machine'],
    ['Alarms', alarms.length === 0, alarms.length === 0 ? 'none' : number(alarms.length)],
  ]
  const list = (
    <ul className="status-strip">
      {statuses.map(([name, isWell, value]) => (
        <li key={name}>
          <Glyph of={isWell ? 'ok' : 'wrong'} />
          <span>
            <span className="soft">{name}</span>
            <span className="note">
              {pause}
              {!isWell && <span className="unseen">needs you: </span>}
              {value}
            </span>
          </span>
        </li>
      ))}
    </ul>
  )
  return (
    <>
      <div className="wide-only">{list}</div>
      <div className="narrow-only">
        <Disclosure words={`What was looked at, ${timeOf(at)}`}>{list}</Disclosure>
      </div>
    </>
  )
}

function UnderWay({ announcement }: { announcement: Announcement }) {
  const { version, to, sent, audience, endsAt, state } = announcement
  const row = {
    id: version,
    words: (
      <>
        <Link to="/announce">
          <strong>Version {version}</strong>
        </Link>{' '}
        to {to === 'consented' ? 'those who asked for news' : 'everyone on the list'}
      </>
    ),
    note: `${number(sent)} of ${number(audience)} sent${endsAt === null ? '' : `, done at about ${timeOf(endsAt)}`}`,
    acts: (
      <>
        {state === 'running' && (
          <ActButton kind="link" onPress={() => act('POST announcements/pause', { version })}>
            Pause
          </ActButton>
        )}
        <progress value={sent} max={audience} aria-label={`Version ${version}`} />
      </>
    ),
    axis: share(sent, audience),
  }
  return <Section heading="Under way" rows={[row]} />
}

function Funnel({ period }: { period: TodayState['period'] }) {
  const { views, signUps, signUpsViaForms, delivered, pageOpened, scriptDownloaded, guideDownloaded } = period
  const ofViews = shareOf(signUpsViaForms, views.people, 1)
  const byPrograms = signUps - signUpsViaForms
  const sources = [ofViews && `${ofViews} of views`, byPrograms > 0 && `${number(byPrograms)} by programs`]
  const deliveredShare = shareOf(delivered, signUps)
  const step = (words: string, count: number, note = share(count, signUps)) => ({
    words,
    note,
    share: count / Math.max(signUps, 1),
    axis: number(count),
  })
  return (
    <Section
      heading={
        views.people === 0
          ? 'No views were counted'
          : ofViews
            ? `${ofViews} of views became sign-ups`
            : 'There were more sign-ups than counted views'
      }
      note="People only. Machines are counted apart."
      rows={[
        { words: 'Views', note: `+${number(views.machines)} by machines`, axis: number(views.people) },
        step('Signed up', signUps, sources.filter(Boolean).join(', ') || '–'),
        step('Mail delivered', delivered, deliveredShare ? `${deliveredShare} of sign-ups` : '–'),
        step('Page opened', pageOpened.people),
        step('Script downloaded', scriptDownloaded.people),
        step('Guide downloaded', guideDownloaded.people),
      ]}
    >
      <p className="soft part-note">
        Views are counted at this server. Pages that a CDN answers itself are not in them.
      </p>
    </Section>
  )
}

interface AttributionProps {
  today: TodayState
  chosen: string | undefined
  onChoose: (key: string | undefined) => void
}

/** Forms, then campaigns by size. A row is a toggle: it filters the plot and the heading above it. */
function Attribution({ today: { plot, period }, chosen, onChoose }: AttributionProps) {
  const rowsOf = (kind: 'form' | 'campaign') =>
    plot.rows
      .filter(({ of }) => of === kind)
      .map((row) => ({
        words: nameOf(row),
        note: share(row.inPeriod, period.signUps),
        share: row.inPeriod / Math.max(period.signUps, 1),
        axis: number(row.inPeriod),
        isOn: chosen === keyOf(row),
        onToggle: () => onChoose(chosen === keyOf(row) ? undefined : keyOf(row)),
      }))
  return (
    <Section heading="Where they came from" note="Press a row to see it in the plot." className="attribution">
      <Rows rows={rowsOf('form')} />
      <Rows rows={rowsOf('campaign')} />
    </Section>
  )
}

function keyOf({ of, name }: TodayState['plot']['rows'][number]): string {
  return `${of} ${name}`
}

import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { deskText } from '#content/desk.ts'
import type { Announcement, Today as TodayState } from '../../contract.ts'
import { call, isFault, refresh, useDesk } from '../api.ts'
import { number, share, size, spanOf, timeOf } from '../format.ts'
import { usePeriod } from '../frame.tsx'
import { Button, Disclosure, Glyph, LoadFault, Section, View } from '../parts.tsx'
import { troublesOf } from '../troubles.ts'
import { PasskeyOffer } from './you.tsx'
import { SignUps } from './sign-ups.tsx'

const words = deskText.today
const { databaseAway } = deskText
type Row = TodayState['plot']['rows'][number]

/** Says first if all is well; the figures come after it. */
export function Today() {
  const [days] = usePeriod()
  const [chosen, setChosen] = useState('')
  const query = useDesk('GET today', { days })
  const { data: today, error } = query
  const isAway = isFault(error, 'database-away')
  if (!today)
    return (
      <View heading={isAway ? databaseAway.heading : '–'}>
        <LoadFault of={query} />
      </View>
    )
  const row = today.plot.rows.find((one) => keyOf(one) === chosen)
  return (
    <State today={today} awaySince={isAway ? query.dataUpdatedAt : undefined}>
      {!isAway && <LoadFault of={query} />}
      <Looks today={today} />
      {today.announcement && <UnderWay announcement={today.announcement} />}
      <SignUps today={today} row={row} rowName={row && nameOf(row)} />
      <div className="halves halves-6-6">
        <Funnel period={today.period} />
        <Whence today={today} chosen={chosen} onChoose={setChosen} />
      </div>
      <PasskeyOffer />
      <p className="foot soft">
        {deskText.utcDays} {deskText.askedAgain}
      </p>
    </State>
  )
}

interface StateProps {
  today: TodayState
  /** Set while the database does not answer. */
  awaySince: number | undefined
  children: ReactNode
}

/** The gravest trouble takes the heading; the others are sentences below. */
function State({ today, awaySince, children }: StateProps) {
  const [worst, ...others] = troublesOf(today)
  if (awaySince !== undefined)
    return (
      <View heading={databaseAway.heading} sentence={databaseAway.text(timeOf(awaySince))}>
        {children}
      </View>
    )
  if (!worst)
    return (
      <View
        heading={words.well}
        sentence={`${today.disk ? words.flows : words.flowsElsewhere} ${lastSignUp(today)}`}
        actions={
          today.lastSignUpAt === null && (
            <a className="plain-button" href="/">
              {words.openPage}
            </a>
          )
        }
      >
        {children}
      </View>
    )
  const sentence = [worst.text, ...others.map(({ heading, text }) => `${heading} ${text}`)]
  return (
    <View
      heading={worst.heading}
      sentence={sentence.map((one) => (
        <p key={one}>{one}</p>
      ))}
      actions={
        <Link className="button" to={`/${worst.view}`}>
          {words.seeWhat}
        </Link>
      }
    >
      {children}
    </View>
  )
}

function lastSignUp({ at, lastSignUpAt }: TodayState): string {
  return lastSignUpAt === null ? words.noSignUp : words.lastSignUp(spanOf(at - lastSignUpAt))
}

/** Five looks: a strip where there is room, folded on a phone. */
function Looks({ today }: { today: TodayState }) {
  const { mail, waiting, database, disk, alarms, at } = today
  const looks = [
    [
      words.looks.mail,
      !mail.trouble,
      mail.lastSentAt === null ? words.noneSent : words.lastSent(timeOf(mail.lastSentAt)),
    ],
    [words.looks.waiting, !mail.trouble, number(waiting.count)],
    [
      words.looks.database,
      true,
      words.answers(database.answeredInMs < 1 ? '<1' : number(Math.round(database.answeredInMs))),
    ],
    [words.looks.disk, !disk?.isLow, disk ? words.free(size(disk.freeBytes)) : words.elsewhere],
    [words.looks.alarms, alarms.length === 0, alarms.length === 0 ? words.none : number(alarms.length)],
  ] as const
  const list = (
    <ul className="looks">
      {looks.map(([name, isWell, value]) => (
        <li key={name}>
          <Glyph of={isWell ? 'ok' : 'wrong'} />
          <span>
            <span className="soft">{name}</span>
            <span className="look-value">
              {!isWell && <span className="unseen">{deskText.needsYou}: </span>}
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
        <Disclosure words={words.lookedAt(timeOf(at))}>{list}</Disclosure>
      </div>
    </>
  )
}

function UnderWay({ announcement }: { announcement: Announcement }) {
  const { version, to, sent, audience, endsAt, state } = announcement
  return (
    <Section heading={words.underWay}>
      <ul className="rows rows-axis">
        <li className="row-line under-way">
          <span>
            <Link to="/announce">
              <strong>{words.version(version)}</strong>
            </Link>{' '}
            {words.to[to]}
            <span className="soft">
              {words.progress(number(sent), number(audience))}
              {endsAt !== null && words.doneAt(timeOf(endsAt))}
            </span>
          </span>
          <progress value={sent} max={audience} aria-label={words.version(version)} />
          {state === 'running' && (
            <Button kind="link" onPress={() => call('POST announcements/pause', { version }).then(refresh)}>
              {deskText.announce.pause}
            </Button>
          )}
          <span className="on-axis">{share(sent, audience)}</span>
        </li>
      </ul>
    </Section>
  )
}

function Funnel({ period }: { period: TodayState['period'] }) {
  const { views, signUps, delivered, pageOpened, scriptDownloaded, guideDownloaded } = period
  const names = words.funnel
  const ofSignUps = (count: number) => share(count, signUps)
  const steps: [string, string, number][] = [
    [names.signUps, words.ofViews(share(signUps, views.people, 1)), signUps],
    [names.delivered, words.ofSignUps(ofSignUps(delivered)), delivered],
    [names.opened, ofSignUps(pageOpened.people), pageOpened.people],
    [names.script, ofSignUps(scriptDownloaded.people), scriptDownloaded.people],
    [names.guide, ofSignUps(guideDownloaded.people), guideDownloaded.people],
  ]
  const heading = views.people === 0 ? words.noViews : words.became(share(signUps, views.people, 1))
  return (
    <Section heading={heading} note={words.peopleOnly}>
      <ul className="rows profile">
        <li className="row-line">
          <span>{names.views}</span>
          <span className="note">{words.byMachines(number(views.machines))}</span>
          <span className="on-axis">{number(views.people)}</span>
        </li>
        {steps.map(([name, note, count]) => (
          <li className="row-line" key={name}>
            <span>{name}</span>
            <span className="note">{note}</span>
            <Bar part={count} of={Math.max(signUps, 1)} />
            <span className="on-axis">{number(count)}</span>
          </li>
        ))}
      </ul>
      <p className="soft part-note">{words.cdn}</p>
    </Section>
  )
}

interface WhenceProps {
  today: TodayState
  chosen: string
  onChoose: (key: string) => void
}

/** Forms, then campaigns by size. A row is a toggle: it filters the plot and the heading above it. */
function Whence({ today, chosen, onChoose }: WhenceProps) {
  const { rows } = today.plot
  const all = today.period.signUps
  return (
    <Section heading={words.whence} note={words.pressRow} className="whence">
      {(['form', 'campaign'] as const).map((of) => (
        <ul className="rows rows-axis profile" key={of}>
          {rows
            .filter((row) => row.of === of)
            .map((row) => (
              <li key={row.name}>
                <button
                  type="button"
                  className="row-line"
                  aria-pressed={chosen === keyOf(row)}
                  onClick={() => onChoose(chosen === keyOf(row) ? '' : keyOf(row))}
                >
                  <span className="chosen-line">{nameOf(row)}</span>
                  <span className="note">{share(row.inPeriod, all)}</span>
                  <Bar part={row.inPeriod} of={Math.max(all, 1)} />
                  <span className="on-axis">{number(row.inPeriod)}</span>
                </button>
              </li>
            ))}
        </ul>
      ))}
    </Section>
  )
}

/** Hangs from the axis, like a volume profile. */
export function Bar({ part, of }: { part: number; of: number }) {
  return (
    <svg className="bar" preserveAspectRatio="none" viewBox="0 0 100 1" aria-hidden="true">
      <rect x={100 - (100 * Math.min(part, of)) / of} width={(100 * Math.min(part, of)) / of} height="1" />
    </svg>
  )
}

function keyOf({ of, name }: Row): string {
  return `${of} ${name}`
}

function nameOf({ of, name }: Row): string {
  if (of === 'form') return words.forms[name] ?? name
  return name === 'none' ? words.noCampaign : name === 'other' ? words.otherCampaigns : name
}

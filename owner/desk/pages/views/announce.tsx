import { useState } from 'react'
import { deskText } from '#content/desk.ts'
import type { Announcements, AnnouncementText, Audience } from '../../contract.ts'
import { ActDialog } from '../act-dialog.tsx'
import { call, refresh, useDesk } from '../api.ts'
import { dayName, dayOf, number } from '../format.ts'
import { useToast, useWriteBar } from '../frame.tsx'
import { AxisRow, Button, LoadFault, Section, Switch, useRemembered, View } from '../parts.tsx'
import { MailPreview, type Scheme } from './mail-preview.tsx'
import { WatchAnnouncement } from './watch-announcement.tsx'

const words = deskText.announce
type Release = NonNullable<Announcements['release']>

/** One version is composed, or watched while it goes out. */
export function Announce() {
  const [isRunning, setRunning] = useState(false)
  const query = useDesk('GET announcements', {}, { everyMs: isRunning ? 5_000 : 60_000 })
  const found = query.data
  if (!found)
    return (
      <View heading={words.title}>
        <LoadFault of={query} />
      </View>
    )
  const [newest] = found.all
  if ((newest?.state === 'running') !== isRunning) setRunning(!isRunning)
  const isUnderWay = newest && !['done', 'cancelled'].includes(newest.state)
  const isAnnounced = newest?.version === found.release?.version
  if (newest && (isUnderWay || isAnnounced))
    return (
      <WatchAnnouncement announcement={newest}>
        <LoadFault of={query} />
        {found.release && isAnnounced && newest.state === 'done' && newest.to === 'consented' && (
          <Compose found={found} release={found.release} key={found.release.version} />
        )}
        <Before all={found.all.slice(1)} />
      </WatchAnnouncement>
    )
  if (!found.release)
    return (
      <View heading={words.nothing} sentence={words.nothingText}>
        <Before all={found.all} />
      </View>
    )
  return (
    <View heading={words.heading(found.release.version)} sentence={sentenceFor(found)}>
      <LoadFault of={query} />
      <Compose found={found} release={found.release} key={found.release.version} />
      <Before all={found.all} />
    </View>
  )
}

function sentenceFor({ all: [last] }: Announcements): string {
  if (!last) return words.notYet
  const people = deskText.units.people(number(last.sent))
  return `${words.notYet} ${words.lastOne(last.version, people, dayOf(last.startedAt))}`
}

function Before({ all }: { all: Announcements['all'] }) {
  if (all.length === 0) return null
  return (
    <Section heading={words.all}>
      <ul className="rows rows-axis">
        {all.map(({ version, startedAt, state, sent, audience }) => (
          <AxisRow key={version} axis={dayOf(startedAt)}>
            {version}
            <span className="note">
              {words.states[state]} · {deskText.today.progress(number(sent), number(audience))}
            </span>
          </AxisRow>
        ))}
      </ul>
    </Section>
  )
}

/** Keeps the typed text until it is sent, also while another view is open. */
function Compose({ found, release }: { found: Announcements; release: Release }) {
  const [subject, setSubject] = useRemembered('announce-subject', release.subject)
  const [note, setNote] = useRemembered('announce-note', '')
  const [to, setTo] = useRemembered<Audience | undefined>('announce-to', undefined)
  const text = { version: release.version, subject, note, ...(to && { to }) }
  return (
    <div className="halves halves-7-5">
      <div>
        <Section heading={words.what} note={words.whatNote}>
          <ul className="rows notes">
            {release.changes.map((change, index) => (
              <li key={change}>
                <span className="note">{[release.version, dayName(release.date)][index]}</span>
                <span>{change.replaceAll('`', '')}</span>
              </li>
            ))}
          </ul>
          <div className="fields">
            <label>
              <span className="label">{words.subject}</span>
              <input
                className="field wide-field"
                value={subject}
                onChange={(event) => setSubject(event.target.value)}
              />
            </label>
            <label>
              <span className="label">{words.note}</span>
              <textarea
                className="field wide-field"
                rows={3}
                value={note}
                placeholder={words.notePlaceholder}
                onChange={(event) => setNote(event.target.value)}
              />
            </label>
          </div>
        </Section>
        <Sending found={found} text={text} onChoose={setTo} />
      </div>
      <Arrives text={text} />
    </div>
  )
}

interface SendingProps {
  found: Announcements
  text: AnnouncementText
  onChoose: (to: Audience) => void
}

/** To whom, how fast, and the button that sends it. */
function Sending({ found, text, onChoose }: SendingProps) {
  const [perHour, setPerHour] = useState(found.perHour.most)
  const isSlow = perHour === found.perHour.most
  const count = found.audiences[text.to ?? 'consented']
  return (
    <>
      <ToWhom audiences={found.audiences} to={text.to} onChoose={onChoose} />
      <Section heading={words.howFast}>
        <div className="fields">
          <label className="per-hour">
            {words.atMost}
            <input
              className="field"
              type="number"
              min={1}
              value={perHour}
              onChange={(event) => setPerHour(Math.max(1, Math.round(event.target.valueAsNumber) || 1))}
            />
            {words.anHour}
          </label>
          <p className="soft part-note">
            {isSlow
              ? words.slowStart(number(found.perHour.first), hoursFor(count, found.perHour))
              : words.steady(Math.ceil(count / perHour))}
          </p>
        </div>
      </Section>
      <Send text={text} count={count} perHour={isSlow ? undefined : perHour} />
    </>
  )
}

interface ToWhomProps {
  audiences: Announcements['audiences']
  to: Audience | undefined
  onChoose: (to: Audience) => void
}

/** None is chosen at first. */
function ToWhom({ audiences, to, onChoose }: ToWhomProps) {
  return (
    <Section heading={words.toWhom}>
      <fieldset className="fields">
        <legend className="unseen">{words.toWhom}</legend>
        {(['consented', 'everyone'] as const).map((audience) => (
          <label className="pick" key={audience}>
            <input type="radio" name="to" checked={to === audience} onChange={() => onChoose(audience)} />
            <span>
              {words.audiences[audience]}
              {audience === 'everyone' && <span className="soft">{words.law}</span>}
            </span>
            <span className="note">{number(audiences[audience])}</span>
          </label>
        ))}
        <p className="soft part-note">{words.leftOut}</p>
      </fieldset>
    </Section>
  )
}

interface SendProps {
  text: AnnouncementText
  count: number
  /** By default the announcement starts slowly. */
  perHour: number | undefined
}

function Send({ text, count, perHour }: SendProps) {
  const { to } = text
  const [isAsked, setAsked] = useState(false)
  const show = useToast()
  const bar = useWriteBar()
  const people = deskText.units.people(number(count))
  const tell = (fault: Error) => show({ words: fault.message })
  const start = async () => {
    const order = { ...text, to: to ?? 'consented', ...(perHour !== undefined && { perHour }) }
    const act = () => call('POST announcements/start', order).then(refresh, tell)
    show({ words: words.goesOut(text.version), act })
  }
  const test = () => call('POST announcements/test', text).then(() => show({ words: words.testSent }), tell)
  return (
    <Section heading={words.send}>
      <div className="fields">
        <div className="actions">
          <Button kind="main" disabled={to === undefined || bar !== undefined} onPress={() => setAsked(true)}>
            {to ? words.start(people) : words.title}
          </Button>
          <Button onPress={test}>{words.test}</Button>
        </div>
        <p className="soft part-note">{bar ?? (to ? words.startNote : words.chooseFirst)}</p>
      </div>
      {isAsked && (
        <ActDialog
          heading={words.startHeading(text.version, people)}
          label={words.start(people)}
          needsProof
          act={start}
          onClose={() => setAsked(false)}
        >
          {to === 'everyone' && <p>{words.law}</p>}
        </ActDialog>
      )}
    </Section>
  )
}

/** With a slow start: the first hour's mails double each hour up to the most. */
function hoursFor(count: number, { first, most }: Announcements['perHour']): number {
  let left = count
  let hours = 0
  for (let allowed = first; left > 0; allowed = Math.min(most, allowed * 2)) {
    left -= allowed
    hours += 1
  }
  return hours
}

function Arrives({ text }: { text: AnnouncementText }) {
  const [scheme, setScheme] = useState<Scheme>('light')
  const switcher = (
    <Switch
      name={words.schemesName}
      choices={(['light', 'dark', 'text'] as const).map((id) => ({ id, words: words.schemes[id] }))}
      chosen={scheme}
      onChoose={setScheme}
    />
  )
  return (
    <Section heading={words.arrives} actions={switcher}>
      <MailPreview text={text} scheme={scheme} />
    </Section>
  )
}

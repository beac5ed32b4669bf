import { useState } from 'react'
import { firstAllowance, hoursFor } from '../../../announcements/slow-start.ts'
import type { Announcements, AnnouncementText, Audience } from '../../contract.ts'
import { ActDialog } from '../act-dialog.tsx'
import { act, useNoWrites } from '../acts.tsx'
import { useDesk, useRemembered } from '../api.ts'
import { counted, dayName, dayOf, number } from '../format.ts'
import { Button, LoadError, Section, Switch, View } from '../parts.tsx'
import { MailPreview, type Scheme } from './mail-preview.tsx'
import { WatchAnnouncement } from './watch-announcement.tsx'

const law =
  'They asked for a script, not for news. In the EU and the UK mail like this needs their consent, with few exceptions. Look up what holds for you first.'
const names = { consented: 'Those who asked for news', everyone: 'Everyone on the list' }
const states = {
  running: 'under way',
  paused: 'paused',
  'paused-automatically': 'paused automatically',
  cancelled: 'cancelled',
  done: 'done',
}

type Release = NonNullable<Announcements['release']>

/** One version is composed, or watched while it goes out. */
export function Announce() {
  const query = useDesk(
    'GET announcements',
    {},
    { everyMs: (found) => (found?.all[0]?.state === 'running' ? 5_000 : 60_000) },
  )
  if (!query.data) return <View heading="Announce" query={query} />
  const { all, isWatched, canStart, release, siteMailsPerHour } = query.data
  const [newest] = all
  const compose = release && canStart && (
    <Compose key={release.version} siteMailsPerHour={siteMailsPerHour} release={release} />
  )
  if (newest && isWatched)
    return (
      <WatchAnnouncement announcement={newest}>
        <LoadError of={query} />
        {compose}
        <Before all={all.slice(1)} />
      </WatchAnnouncement>
    )
  return (
    <View
      heading={release ? `Announce ${release.version}` : 'No release notes for the kit’s version.'}
      sentence={release ? sentenceFor(newest) : 'Write them in content/releases.ts, then restart.'}
      query={query}
    >
      {compose}
      <Before all={all} />
    </View>
  )
}

function sentenceFor(last: Announcements['all'][number] | undefined): string {
  if (!last) return 'Not announced yet.'
  const people = counted(last.sent, 'person', 'people')
  return `Not announced yet. The last announcement, ${last.version}, reached ${people} on ${dayOf(last.startedAt)}.`
}

function Before({ all }: Pick<Announcements, 'all'>) {
  if (all.length === 0) return null
  return (
    <Section
      heading="Announcements"
      rows={all.map(({ version, startedAt, state, sent, audience }) => ({
        words: version,
        note: `${states[state]} · ${number(sent)} of ${number(audience)} sent`,
        axis: dayOf(startedAt),
      }))}
    />
  )
}

type ComposeProps = Pick<Announcements, 'siteMailsPerHour'> & { release: Release }

/** Keeps the typed text until it is sent, also while another view is open. */
function Compose({ siteMailsPerHour, release: { version, date, changes, subject: usual } }: ComposeProps) {
  const [subject, setSubject] = useRemembered('announce-subject', usual)
  const [note, setNote] = useRemembered('announce-note', '')
  const [to] = useAudience()
  const { data: audiences } = useAudiences()
  const text = { version, subject, note, ...(to && { to }) }
  return (
    <div className="halves halves-7-5">
      <div>
        <Section heading="What" note="From the release notes. Change them there.">
          <ul className="rows notes">
            {changes.map((change, index) => (
              <li key={change}>
                <span className="note">{[version, dayName(date)][index]}</span>
                <span>{change.replaceAll('`', '')}</span>
              </li>
            ))}
          </ul>
          <div className="fields">
            <label>
              <span className="label">Subject</span>
              <input
                className="field wide-field"
                value={subject}
                onChange={(event) => setSubject(event.target.value)}
              />
            </label>
            <label>
              <span className="label">A word from you, if you like</span>
              <textarea
                className="field wide-field"
                rows={3}
                value={note}
                placeholder="Two or three lines, above the notes"
                onChange={(event) => setNote(event.target.value)}
              />
            </label>
          </div>
        </Section>
        <ToWhom />
        <Sending text={text} count={to && audiences?.[to]} most={siteMailsPerHour ?? Infinity} />
      </div>
      <Arrives text={text} />
    </div>
  )
}

/** None is chosen at first. */
const useAudience = () => useRemembered<Audience | undefined>('announce-to', undefined)

/** The number of people whom each choice reaches. */
const useAudiences = () => useDesk('GET announcements/audiences', {})

function ToWhom() {
  const [to, setTo] = useAudience()
  const audiences = useAudiences()
  return (
    <Section heading="To whom" query={audiences}>
      <fieldset className="fields">
        <legend className="unseen">To whom</legend>
        {(['consented', 'everyone'] as const).map((audience) => (
          <label className="pick" key={audience}>
            <input type="radio" name="to" checked={to === audience} onChange={() => setTo(audience)} />
            <span>
              {names[audience]}
              {audience === 'everyone' && <span className="soft below">{law}</span>}
            </span>
            <span className="note">{audiences.data ? number(audiences.data[audience]) : '–'}</span>
          </label>
        ))}
        <p className="soft part-note">
          Those who signed up after the version came out are left out: they have it.
        </p>
      </fieldset>
    </Section>
  )
}

interface SendingProps {
  text: AnnouncementText
  /** None without an audience, and until it is counted. */
  count: number | undefined
  /** Mails an hour that the site allows. */
  most: number
}

/** The hourly limit, and the button that starts the announcement. */
function Sending({ text, count, most }: SendingProps) {
  const usual = most < Infinity ? String(most) : ''
  const [typed, setTyped] = useState(usual)
  /** The default is as many as the site allows, after a slow start. */
  const chosen = typed === '' || typed === usual ? undefined : Math.max(1, Math.round(Number(typed)))
  const hours = count && hoursFor(count, chosen, most)
  return (
    <>
      <Section heading="How fast">
        <div className="fields">
          <label className="per-hour">
            At most
            <input
              className="field"
              type="number"
              min={1}
              value={typed}
              placeholder={usual || 'no limit'}
              onChange={(event) => setTyped(event.target.value)}
            />
            an hour
          </label>
          <p className="soft part-note">
            {chosen === undefined
              ? `Begins with ${number(firstAllowance)} in the first hour and doubles each hour.`
              : 'Without a slow start.'}{' '}
            Sign-up mail goes first. It pauses automatically above 2 % returned or 0.1 % complaints.{' '}
            {hours !== undefined && `Takes about ${counted(hours, 'hour')}.`}
          </p>
        </div>
      </Section>
      <Send text={text} count={count} perHour={chosen} />
    </>
  )
}

const startNote =
  'Asks for a fresh code. The first mail goes a minute later: until then you can take it back.'

function Send({ text, count, perHour }: Omit<SendingProps, 'most'> & { perHour: number | undefined }) {
  const noWrites = useNoWrites()
  const people = counted(count ?? 0, 'person', 'people')
  const order = { ...text, to: text.to ?? 'consented', ...(perHour !== undefined && { perHour }) }
  const announced = `${text.version} goes out in a minute.`
  const isChosen = count !== undefined
  return (
    <Section heading="Send">
      <div className="fields">
        <div className="actions">
          <ActDialog
            button={isChosen ? `Announce to ${people}` : 'Announce'}
            buttonProps={{ kind: 'main', isDisabled: !isChosen }}
            heading={`Announce ${text.version} to ${people}?`}
            needsProof
            act={() => act('POST announcements/start', order, { announced, waitSeconds: 60 })}
          >
            {text.to === 'everyone' && <p>{law}</p>}
          </ActDialog>
          <Button
            onPress={() => act('POST announcements/test', text, { done: 'A test is on its way to you.' })}
          >
            Send a test to me
          </Button>
        </div>
        <p className="soft part-note">{noWrites ?? (isChosen ? startNote : 'Choose to whom first.')}</p>
      </div>
    </Section>
  )
}

function Arrives({ text }: { text: AnnouncementText }) {
  const [scheme, setScheme] = useState<Scheme>('light')
  const switcher = (
    <Switch
      label="How the mail is shown"
      value={scheme}
      options={[
        ['light', 'Light'],
        ['dark', 'Dark'],
        ['text', 'Text'],
      ]}
      onChoose={setScheme}
    />
  )
  return (
    <Section heading="As it arrives" actions={switcher}>
      <MailPreview text={text} scheme={scheme} />
    </Section>
  )
}

import { type ReactNode, useState } from 'react'
import { useLocation, useNavigate, useParams } from 'react-router'
import { deskText } from '#content/desk.ts'
import type { DeskApi, Mail, Person as PersonKept } from '../../contract.ts'
import { ActDialog } from '../act-dialog.tsx'
import { call, DeskFault, isFault, refresh, useDesk } from '../api.ts'
import { dayOf, fullDayOf, timeOf } from '../format.ts'
import { useToast, useWriteBar } from '../frame.tsx'
import { Address, AxisRow, Button, Disclosure, LoadFault, type Mark, Section, View } from '../parts.tsx'

const words = deskText.person

/** One person. The address of the view has their number. */
export function Person() {
  const id = Number(useParams()['id'])
  const person = useDesk('GET people/:id', {}, { id })
  const back = { to: '/people', words: deskText.views.people }
  if (isFault(person.error, 'not-found')) return <View heading={words.gone} back={back} />
  if (!person.data)
    return (
      <View heading="–" back={back}>
        <LoadFault of={person} />
      </View>
    )
  const { address, state, signedUpAt, wantsNews } = person.data
  return (
    <View
      heading={address}
      isAddress
      back={back}
      sentence={
        <>
          {words.since[state]} {fullDayOf(signedUpAt)}. {wantsNews && state === 'active' && words.news}
        </>
      }
      actions={<Acts person={person.data} key={person.data.version} />}
    >
      <LoadFault of={person} />
      <div className="halves halves-5-7">
        <Kept person={person.data} />
        <Happened person={person.data} />
      </div>
      <Erase person={person.data} />
      <p className="foot soft">
        {words.times} {deskText.askedAgain}
      </p>
    </View>
  )
}

type Act = 'send-again' | 'unsubscribe' | 'put-back'

function Acts({ person }: { person: PersonKept }) {
  const show = useToast()
  const bar = useWriteBar()
  const asksToCorrect = useLocation().state === 'correct'
  const [corrects, setCorrects] = useState(asksToCorrect)
  const { id, version } = person
  const act = async (name: Act) => {
    const path = `POST people/:id/${name}` as const satisfies keyof DeskApi
    await call(path, { version }, id).catch((fault: Error) => {
      const isElsewhere = isFault(fault, 'changed')
      show({ words: isElsewhere ? words.changed(timeOf(Date.now())) : fault.message })
    })
    await refresh()
  }
  const isBarred = bar !== undefined
  return (
    <>
      {person.canSendAgain && (
        <Button
          kind="main"
          disabled={isBarred}
          onPress={() => show({ words: words.goesOut, act: () => act('send-again') })}
        >
          {words.sendAgain}
        </Button>
      )}
      <Button disabled={isBarred} onPress={() => setCorrects(true)}>
        {words.correct}
      </Button>
      {person.state === 'active' && (
        <Button
          disabled={isBarred}
          onPress={() => act('unsubscribe').then(() => show({ words: words.unsubscribed }))}
        >
          {words.unsubscribe}
        </Button>
      )}
      {person.canPutBackUntil !== null && (
        <Button disabled={isBarred} onPress={() => act('put-back')}>
          {words.putBack}
        </Button>
      )}
      {bar && <p className="soft">{bar}</p>}
      {corrects && <Correct person={person} onClose={() => setCorrects(false)} />}
    </>
  )
}

/** If another browser was faster, both addresses are shown; what was typed stays. */
function Correct({ person, onClose }: { person: PersonKept; onClose: () => void }) {
  const [address, setAddress] = useState(person.address)
  const [theirs, setTheirs] = useState<PersonKept>()
  const save = async () => {
    const { version } = theirs ?? person
    try {
      await call('POST people/:id/correct', { version, address }, person.id)
    } catch (fault) {
      if (!isFault(fault, 'changed') || !fault.now) throw fault
      setTheirs(fault.now)
      throw new DeskFault({ code: 'changed', message: words.changed(timeOf(Date.now())) })
    }
  }
  return (
    <ActDialog
      heading={words.correctHeading}
      label={theirs ? words.saveMine : words.save}
      keep={theirs ? words.takeTheirs : deskText.keep}
      act={save}
      onClose={() => (theirs && void refresh(), onClose())}
    >
      <p>{words.correctText}</p>
      {theirs && (
        <p>
          {words.changedTo} <Address>{theirs.address}</Address>
        </p>
      )}
      <label className="label" htmlFor="correct-address">
        {words.newAddress}
      </label>
      <input
        className="field wide-field"
        id="correct-address"
        type="email"
        value={address}
        onChange={(event) => setAddress(event.target.value)}
        autoComplete="off"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the only field of the dialog
        autoFocus
      />
    </ActDialog>
  )
}

function Kept({ person }: { person: PersonKept }) {
  const { fields } = words
  const { signedUpAt, form, campaign, language, wording, wantsNewsSince, mails } = person
  const rows: [string, ReactNode][] = [
    [fields.signedUp, `${fullDayOf(signedUpAt)}, ${timeOf(signedUpAt)}`],
    [fields.form, form === null ? words.notKept : (deskText.today.forms[form] ?? form)],
    [fields.campaign, campaign ?? words.notKept],
    [fields.language, language ?? words.notKept],
    [fields.wording, wording ? <Wording key="wording" {...wording} /> : words.notKept],
    [fields.news, wantsNewsSince === null ? words.no : words.yesSince(fullDayOf(wantsNewsSince))],
    [fields.mails, String(mails.length)],
  ]
  return (
    <Section heading={words.kept}>
      <dl className="rows kept">
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}

/** The words that stood before them when they signed up. */
function Wording({ hash, content }: { hash: string; content: string }) {
  const texts = Object.values(JSON.parse(content) as Record<string, unknown>).filter(
    (one) => typeof one === 'string',
  )
  return (
    <Disclosure words={`${words.wording} ${hash.slice(0, 8)}`}>
      {texts.map((text) => (
        <p className="soft" key={text}>
          {text}
        </p>
      ))}
    </Disclosure>
  )
}

interface HistoryEvent {
  at: number
  mark: Mark
  words: string
  reason?: Mail['reason']
}

/** The newest first, by day. */
function Happened({ person }: { person: PersonKept }) {
  const days = Map.groupBy(eventsOf(person), ({ at }) => dayOf(at))
  return (
    <Section heading={words.happened}>
      {[...days].map(([day, events]) => (
        <div key={day} className="day">
          <h3 className="note">{day}</h3>
          <ul className="rows rows-axis">
            {events.map((event) => (
              <AxisRow key={`${event.at} ${event.words}`} mark={event.mark} axis={timeOf(event.at)}>
                {event.words}
                {event.reason && (
                  <span className="soft reason">
                    {event.reason.words} <span className="note">{event.reason.code}</span>
                  </span>
                )}
              </AxisRow>
            ))}
          </ul>
        </div>
      ))}
    </Section>
  )
}

function eventsOf({ signedUpAt, wantsNewsSince, mails }: PersonKept): HistoryEvent[] {
  const { events } = words
  const found: HistoryEvent[] = [{ at: signedUpAt, mark: 'came', words: events.signedUp }]
  if (wantsNewsSince !== null) found.push({ at: wantsNewsSince, mark: 'dash', words: events.news })
  for (const mail of mails) {
    found.push({ at: mail.queuedAt, mark: 'dash', words: events.queued })
    if (mail.state === 'queued' && mail.tries > 0)
      found.push({ at: mail.queuedAt, mark: 'look', words: events.putOff, reason: mail.reason })
    if (mail.finishedAt === null) continue
    const at = mail.finishedAt
    if (mail.state === 'sent') found.push({ at, mark: 'ok', words: events.sent })
    if (mail.state === 'failed') found.push({ at, mark: 'wrong', words: events.failed, reason: mail.reason })
    if (mail.state === 'cancelled') found.push({ at, mark: 'left', words: events.cancelled })
  }
  return found.toReversed().toSorted((a, b) => b.at - a.at)
}

function Erase({ person }: { person: PersonKept }) {
  const [isAsked, setAsked] = useState(false)
  const navigate = useNavigate()
  const show = useToast()
  const bar = useWriteBar()
  const erase = async () => {
    const { isProved } = await call('POST people/:id/erase', { version: person.version }, person.id)
    show({ words: isProved ? words.erased : words.erasedSoon })
    await navigate('/people')
  }
  return (
    <div className="erase-part">
      <Button disabled={bar !== undefined} onPress={() => setAsked(true)}>
        {words.erase}
      </Button>
      <span className="soft">{bar ?? words.eraseNote}</span>
      {isAsked && (
        <ActDialog
          heading={
            <>
              {words.eraseHeading} <Address>{person.address}</Address>?
            </>
          }
          label={words.eraseLabel}
          needsProof
          act={erase}
          onClose={() => setAsked(false)}
        >
          <p>{words.eraseText}</p>
        </ActDialog>
      )}
    </div>
  )
}

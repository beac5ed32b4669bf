import { type ReactNode, useState } from 'react'
import { useLocation, useNavigate, useParams } from 'react-router'
import type { Mail, Person as PersonState } from '../../contract.ts'
import { ActDialog } from '../act-dialog.tsx'
import { ActButton, act, showToast, useNoWrites } from '../acts.tsx'
import { call, hasCode, refresh, useDesk } from '../api.ts'
import { dayOf, fullDayOf, timeOf } from '../format.ts'
import { Address, askedAgain, Disclosure, localTimes, type Mark, Rows, Section, View } from '../parts.tsx'
import { forms } from './sign-ups.tsx'

const states = {
  active: 'On the list since',
  unsubscribed: 'Left. Signed up on',
  undeliverable: 'Cannot be reached: a mail failed, came back or was reported as spam. Signed up on',
}

/** One person. The address of the view has their number. */
export function Person() {
  const id = Number(useParams()['id'])
  const query = useDesk('GET people/:id', {}, { id })
  const back = { to: '/people', words: 'People' }
  if (hasCode(query.error, 'not-found')) return <View heading="This person was erased." back={back} />
  const person = query.data
  if (!person) return <View heading="–" back={back} query={query} />
  const { address, state, signedUpAt, wantsNewsSince } = person
  const news = wantsNewsSince !== null && state === 'active' ? 'Wants news of new versions.' : ''
  return (
    <View
      heading={address}
      isAddress
      back={back}
      sentence={`${states[state]} ${fullDayOf(signedUpAt)}. ${news}`}
      actions={<Acts person={person} />}
      query={query}
      foot={`${localTimes} ${askedAgain}`}
    >
      <div className="halves halves-5-7">
        <Kept person={person} />
        <Happened person={person} />
      </div>
      <Erase person={person} />
    </View>
  )
}

function Acts({ person: { id, version, ...person } }: { person: PersonState }) {
  const noWrites = useNoWrites()
  return (
    <>
      {person.canSendAgain && (
        <ActButton
          kind="main"
          onPress={() =>
            act(
              'POST people/:id/send-again',
              { version },
              { id, announced: '1 mail goes out in 10 seconds.' },
            )
          }
        >
          Send the mail again
        </ActButton>
      )}
      <Correct person={{ id, version, ...person }} />
      {person.state === 'active' && (
        <ActButton
          onPress={() => act('POST people/:id/unsubscribe', { version }, { id, done: 'Taken off the list.' })}
        >
          Unsubscribe
        </ActButton>
      )}
      {person.canPutBackUntil !== null && (
        <ActButton onPress={() => act('POST people/:id/put-back', { version }, { id })}>
          Put back on the list
        </ActButton>
      )}
      {noWrites !== undefined && <p className="soft">{noWrites}</p>}
    </>
  )
}

/** If another browser was faster, both addresses are shown; what was typed stays. */
function Correct({ person }: { person: PersonState }) {
  const [opened, setOpened] = useState(person)
  const [address, setAddress] = useState(person.address)
  const [theirs, setTheirs] = useState<PersonState>()
  const isAsked = useLocation().state === 'correct'
  const turn = (isOpen: boolean) => {
    if (!isOpen) return void refresh()
    setOpened(person)
    setAddress(person.address)
    setTheirs(undefined)
  }
  const save = async () => {
    const { id, version } = theirs ?? opened
    try {
      await call('POST people/:id/correct', { version, address }, id)
    } catch (error) {
      if (hasCode(error, 'changed')) setTheirs(error.details.now)
      throw error
    }
  }
  return (
    <ActDialog
      button="Correct the address"
      isOpenAtFirst={isAsked}
      onTurn={turn}
      heading="Correct the address"
      label={theirs ? 'Save mine' : 'Save'}
      keep={theirs ? 'Take theirs' : 'Keep'}
      act={save}
    >
      <p>The mail with the link goes out to the new address.</p>
      {theirs && (
        <p>
          It is now <Address>{theirs.address}</Address>
        </p>
      )}
      <label className="label" htmlFor="correct-address">
        Address
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

function Kept({ person }: { person: PersonState }) {
  const { signedUpAt, form, campaign, language, wording, wantsNewsSince, mails } = person
  const kept: Record<string, ReactNode> = {
    'Signed up': `${fullDayOf(signedUpAt)}, ${timeOf(signedUpAt)}`,
    Form: form === null ? '–' : (forms[form] ?? form),
    Campaign: campaign ?? '–',
    Language: language ?? '–',
    'Agreed to': wording ? <Wording {...wording} /> : '–',
    'Wants news': wantsNewsSince === null ? 'No' : `Yes, since ${fullDayOf(wantsNewsSince)}`,
    Mails: mails.length,
  }
  return (
    <Section heading="What is kept">
      <dl className="rows kept">
        {Object.entries(kept).map(([name, value]) => (
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
  const texts = Object.values(JSON.parse(content) as Record<string, unknown>)
  return (
    <Disclosure words={`Wording ${hash.slice(0, 8)}`}>
      {texts
        .filter((text) => typeof text === 'string')
        .map((text) => (
          <p className="soft" key={text}>
            {text}
          </p>
        ))}
    </Disclosure>
  )
}

/** The newest first, by day. */
function Happened({ person }: { person: PersonState }) {
  const days = Map.groupBy(eventsOf(person), ({ at }) => dayOf(at))
  return (
    <Section heading="What happened">
      {[...days].map(([day, events]) => (
        <div key={day} className="day">
          <h3 className="note">{day}</h3>
          <Rows
            rows={events.map(({ at, reason, ...event }) => ({
              ...event,
              id: `${at} ${event.words}`,
              note: reason && (
                <>
                  <span className="soft">{reason.words}</span> {reason.code}
                </>
              ),
              axis: timeOf(at),
            }))}
          />
        </div>
      ))}
    </Section>
  )
}

interface HistoryEvent {
  at: number
  mark: Mark
  words: string
  reason?: Mail['reason']
}

function eventsOf({ signedUpAt, wantsNewsSince, mails }: PersonState): HistoryEvent[] {
  const found: HistoryEvent[] = [{ at: signedUpAt, mark: 'came', words: 'Signed up' }]
  if (wantsNewsSince !== null)
    found.push({ at: wantsNewsSince, mark: 'dash', words: 'Asked for news of new versions' })
  for (const { state, queuedAt, finishedAt, tries, reason } of mails) {
    const at = finishedAt ?? queuedAt
    found.push({ at: queuedAt, mark: 'dash', words: 'Mail queued' })
    if (state === 'queued' && tries > 0) found.push({ at, mark: 'look', words: 'Mail put off', reason })
    if (state === 'sent') found.push({ at, mark: 'ok', words: 'Mail taken by the mail server' })
    if (state === 'failed') found.push({ at, mark: 'wrong', words: 'Mail failed', reason })
    if (state === 'cancelled') found.push({ at, mark: 'left', words: 'Mail not sent: they had left' })
  }
  return found.toReversed().toSorted((a, b) => b.at - a.at)
}

function Erase({ person: { id, version, address } }: { person: PersonState }) {
  const navigate = useNavigate()
  const erase = async () => {
    const { isProved } = await call('POST people/:id/erase', { version }, id)
    showToast({
      words: isProved ? 'Erased.' : 'Erased. The last traces leave the database files within the hour.',
    })
    await navigate('/people')
  }
  return (
    <div className="erase-part">
      <ActDialog
        button="Erase this person"
        heading={
          <>
            Erase <Address>{address}</Address>?
          </>
        }
        label="Erase for good"
        needsProof
        act={erase}
      >
        <p>
          Address, history and personal page go. The links in their mail stop working. Backups made before
          still hold the address. This cannot be undone.
        </p>
      </ActDialog>
      <span className="soft">{useNoWrites() ?? 'Asks for a fresh code. Cannot be undone.'}</span>
    </div>
  )
}

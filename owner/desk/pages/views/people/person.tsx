import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ActButton, ActDialog, tell } from '../../parts/acts.tsx'
import { type Answers, api, hasCode, trpc } from '../../api.ts'
import { dayOf, fullDayOf, timeOf } from '../../format.ts'
import { go, linkTo } from '../../location.ts'
import { Disclosure, type Mark, pending, Rows, Section, View } from '../../parts/parts.tsx'
import { forms } from '../today/sources.tsx'

type PersonState = Answers['people']['show']

export const backToPeople = (
  <p>
    <a {...linkTo('people')}>People</a>
  </p>
)

export function Person({ id }: { id: number }) {
  const query = useQuery(trpc.people.show.queryOptions({ id }))
  if (hasCode(query.error, 'NOT_FOUND')) return <View heading="This person was erased." back={backToPeople} />
  const person = query.data
  if (!person) return <View heading={pending} back={backToPeople} query={query} />
  return (
    <View
      heading={person.address}
      back={backToPeople}
      sentence={sentenceFor(person)}
      actions={<Acts person={person} />}
      query={query}
    >
      <div className="halves">
        <Section heading="What is kept" rows={keptOf(person)} />
        <Happened person={person} />
      </div>
      <Erase person={person} />
    </View>
  )
}

function sentenceFor({ state, signedUpAt, leftAt, wantsNewsSince }: PersonState): string {
  const left = leftAt === null ? '' : ` on ${fullDayOf(leftAt)}`
  switch (state) {
    case 'active':
      return `On the list since ${fullDayOf(signedUpAt)}. ${wantsNewsSince === null ? '' : 'Wants news.'}`
    case 'unsubscribed':
      return `Left the list${left}.`
    case 'undeliverable':
      return `Cannot be reached: a mail failed or came back${left}.`
    case 'blocked':
      return `Blocked our mail${left}, or reported it as spam. No mail goes there any more.`
  }
}

function Acts({ person }: { person: PersonState }) {
  const { id, state, canSendAgain } = person
  return (
    <>
      {canSendAgain && (
        <ActButton
          variant="filled"
          act={() => api.people.sendAgain.mutate({ id })}
          done="The mail goes out again."
        >
          Send the mail again
        </ActButton>
      )}
      {(state === 'active' || state === 'undeliverable') && <Correct person={person} />}
      {state === 'active' && (
        <ActDialog button="Unsubscribe" act={() => api.people.unsubscribe.mutate({ id })}>
          <p>No more mail goes to this person, unless they sign up again. The personal page keeps working.</p>
        </ActDialog>
      )}
    </>
  )
}

function Correct({ person }: { person: PersonState }) {
  const [address, setAddress] = useState(person.address)
  const save = async () => {
    await api.people.correct.mutate({ id: person.id, address })
    tell('Corrected. The mail goes out to the new address.')
  }
  return (
    <ActDialog
      button="Correct the address"
      look={{ disabled: !person.canCorrect }}
      heading="Correct the address"
      label="Save"
      act={save}
    >
      <p>The mail with the link goes out to the new address. Links in mails to the old one stop working.</p>
      <TextInput
        label="Address"
        type="email"
        value={address}
        onChange={(event) => setAddress(event.target.value)}
        autoComplete="off"
        data-autofocus
      />
    </ActDialog>
  )
}

function keptOf({
  signedUpAt,
  form,
  campaign,
  language,
  words,
  wantsNewsSince,
  newsCover,
  newsWords,
}: PersonState) {
  const cover = newsCover === 'news' ? 'of all kinds' : 'of versions'
  const kept: Record<string, ReactNode> = {
    'Signed up': `${fullDayOf(signedUpAt)}, ${timeOf(signedUpAt)}`,
    Form: form === null ? 'Imported' : (forms[form] ?? form),
    Campaign: campaign ?? pending,
    Language: language === null ? pending : new Intl.DisplayNames('en', { type: 'language' }).of(language),
    'Words they saw': words === null ? pending : <Wording content={words} words="The page at sign-up" />,
    'Wants news': wantsNewsSince === null ? 'No' : `Yes, ${cover}, since ${fullDayOf(wantsNewsSince)}`,
    ...(newsWords !== null && {
      'Agreed to': <Wording content={newsWords} words="The words beside the switch" />,
    }),
  }
  return Object.entries(kept).map(([note, value]) => ({ words: value, note }))
}

/** Words that stood before them. `content`: JSON. */
function Wording({ content, words }: { content: string; words: string }) {
  const texts = Object.values(JSON.parse(content) as Record<string, unknown>)
  return (
    <Disclosure words={words}>
      {texts
        .filter((text) => typeof text === 'string')
        .map((text) => (
          <p key={text}>{text}</p>
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
        <div key={day}>
          <h3 className="note">{day}</h3>
          <Rows
            rows={events.map(({ at, reason, ...event }) => ({
              ...event,
              id: `${at} ${event.words}`,
              note: reason && `${reason.words} ${reason.code}`,
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
  reason?: PersonState['mails'][number]['reason']
}

const ownActs: Record<string, string> = {
  'person-mailed-again': 'You sent the mail again',
  'person-corrected': 'You corrected the address',
  'person-unsubscribed': 'You unsubscribed them',
}
const ends: Record<PersonState['state'], string> = {
  active: '',
  unsubscribed: 'Left the list',
  undeliverable: 'Could not be reached any more',
  blocked: 'Blocked our mail',
}

function eventsOf({ signedUpAt, wantsNewsSince, leftAt, state, acts, mails }: PersonState): HistoryEvent[] {
  const found: HistoryEvent[] = [{ at: signedUpAt, mark: 'came', words: 'Signed up' }]
  if (wantsNewsSince !== null) found.push({ at: wantsNewsSince, mark: 'dash', words: 'Asked for news' })
  if (leftAt !== null && state !== 'active') found.push({ at: leftAt, mark: 'left', words: ends[state] })
  for (const { at, act } of acts) found.push({ at, mark: 'dash', words: ownActs[act] ?? act })
  for (const { state: mailState, queuedAt, finishedAt, tries, reason, announced } of mails) {
    const at = finishedAt ?? queuedAt
    const mail = announced === null ? 'Mail' : `Announcement ${announced}`
    found.push({ at: queuedAt, mark: 'dash', words: `${mail} queued` })
    if (mailState === 'queued' && tries > 0)
      found.push({ at, mark: 'look', words: `${mail} put off`, reason })
    if (mailState === 'sent') found.push({ at, mark: 'ok', words: `${mail} taken by the mail server` })
    if (mailState === 'failed') found.push({ at, mark: 'wrong', words: `${mail} failed`, reason })
    if (mailState === 'cancelled') found.push({ at, mark: 'left', words: `${mail} not sent: they had left` })
  }
  return found.toReversed().toSorted((a, b) => b.at - a.at)
}

function Erase({ person: { id, address } }: { person: PersonState }) {
  const erase = async () => {
    await api.people.erase.mutate({ id })
    tell('Erased. The last traces leave the database files within the hour.')
    go('people')
  }
  return (
    <section className="actions">
      <ActDialog
        button="Erase this person"
        heading={`Erase ${address}?`}
        label="Erase for good"
        isProofNeeded
        act={erase}
      >
        <p>
          Address, history and personal page go. The links in their mail stop working. Backups made before
          still hold the address. This cannot be undone.
        </p>
      </ActDialog>
      <span className="soft">Asks for a fresh code. Cannot be undone.</span>
    </section>
  )
}

import { SimpleGrid, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { explainReason } from '../../../../deliveries/reasons.ts'
import { ActButton } from '../../parts/acts.tsx'
import { type Answers, api, hasCode, trpc } from '../../api.ts'
import { fullDayOf, timeOf } from '../../format.ts'
import { hrefOf } from '../../location.ts'
import { Disclosure, pending, type RowProps, Rows, Section, View } from '../../parts/parts.tsx'
import { forms } from '../today/sources.tsx'
import { campaignOf } from './people.tsx'

type PersonState = Answers['people']['show']

export const backToPeople = (
  <p>
    <a href={hrefOf('people')}>People</a>
  </p>
)

export function Person({ id }: { id: number }) {
  const query = useQuery(trpc.people.show.queryOptions({ id }))
  if (hasCode(query.error, 'NOT_FOUND')) {
    return <View heading="This person was erased." back={backToPeople} />
  }
  const person = query.data
  if (!person) return <View heading={pending} back={backToPeople} query={query} />
  return (
    <View
      heading={person.address}
      back={backToPeople}
      note={sentenceFor(person)}
      actions={<Acts person={person} />}
      query={query}
    >
      <SimpleGrid>
        <Section heading="What is kept" rows={keptOf(person)} />
        <Happened person={person} />
      </SimpleGrid>
      <section>
        <ActButton
          words="Erase this person"
          heading={`Erase ${person.address}?`}
          label="Erase for good"
          act={() => api.people.erase.mutate({ id }).then(() => location.assign(hrefOf('people')))}
          ask="Address, history and personal page go. The links in their mail stop working. Backups made before still hold the address. This cannot be undone."
          done="Erased. The last traces leave the database files within the hour."
        />
      </section>
    </View>
  )
}

function sentenceFor({
  state,
  signed_up_at,
  left_at,
  announcements_agreed_at,
}: PersonState): string {
  const left = left_at === null ? '' : ` on ${fullDayOf(left_at)}`
  const news = announcements_agreed_at === null ? '' : 'Wants news.'
  return {
    active: `On the list since ${fullDayOf(signed_up_at)}. ${news}`,
    unsubscribed: `Left the list${left}.`,
    undeliverable: `Cannot be reached: a mail failed or came back${left}.`,
    blocked: `Blocked our mail${left}, or reported it as spam. No mail goes there any more.`,
  }[state]
}

function Acts({ person: { id, address, state, mails } }: { person: PersonState }) {
  const isOnItsWay = mails.some(
    (mail) => mail.announced === null && /^(?:queued|sending)$/.test(mail.state),
  )
  return (
    <>
      {state === 'active' && !isOnItsWay && (
        <ActButton
          words="Send the mail again"
          variant="filled"
          act={() => api.people.sendAgain.mutate({ id })}
          done="The mail goes out again."
        />
      )}
      {(state === 'active' || state === 'undeliverable') && (
        <ActButton
          words="Correct the address"
          disabled={isOnItsWay}
          heading="Correct the address"
          label="Save"
          act={(fields) =>
            api.people.correct.mutate({ id, address: fields.get('address') as string })
          } // of a text field
          ask={
            <TextInput
              label="Address"
              description="The mail with the link goes out to the new address. Links in mails to the old one stop working."
              type="email"
              name="address"
              defaultValue={address}
              autoComplete="off"
              data-autofocus
            />
          }
          done="Corrected. The mail goes out to the new address."
        />
      )}
      {state === 'active' && (
        <ActButton
          words="Unsubscribe"
          act={() => api.people.unsubscribe.mutate({ id })}
          ask="No more mail goes to this person, unless they sign up again. The personal page keeps working."
        />
      )}
    </>
  )
}

function keptOf(person: PersonState) {
  const {
    signed_up_at: at,
    announcements_agreed_at: agreedAt,
    form,
    language,
    words,
    newsWords,
  } = person
  const cover = person.announcements_cover === 'news' ? 'of all kinds' : 'of versions'
  const kept: Record<string, ReactNode> = {
    'Signed up': `${fullDayOf(at)}, ${timeOf(at)}`,
    Form: form === null ? 'Imported' : (forms[form] ?? form),
    Campaign: campaignOf(person.campaign) ?? pending,
    Language:
      language === null ? pending : new Intl.DisplayNames('en', { type: 'language' }).of(language),
    'Words they saw':
      words === null ? pending : <Wording content={words} words="The page at sign-up" />,
    'Wants news': agreedAt === null ? 'No' : `Yes, ${cover}, since ${fullDayOf(agreedAt)}`,
    'Agreed to':
      newsWords === null ? pending : <Wording content={newsWords} words="Beside the switch" />,
  }
  return Object.entries(kept).map(([note, value]) => ({ words: value, note }))
}

/** Words that stood before them. `content`: JSON. */
function Wording({ content, words }: { content: string; words: string }) {
  const texts = new Set<string>()
  JSON.parse(content, (key, value: unknown) => {
    if (typeof value === 'string' && key !== 'language' && key !== 'covers') texts.add(value)
  })
  return (
    <Disclosure words={words}>
      {[...texts].map((text) => (
        <p key={text}>{text}</p>
      ))}
    </Disclosure>
  )
}

/** The newest first, by day. */
function Happened({ person }: { person: PersonState }) {
  const days = Map.groupBy(eventsOf(person), ({ at }) => fullDayOf(at))
  return (
    <Section heading="What happened">
      {[...days].map(([day, events]) => (
        <div key={day}>
          <h3 className="note">{day}</h3>
          <Rows rows={events.map(({ at, ...event }) => ({ ...event, axis: timeOf(at) }))} />
        </div>
      ))}
    </Section>
  )
}

const ownActs: Record<string, string> = {
  'Sent the mail again to person': 'You sent the mail again',
  'Corrected the address of person': 'You corrected the address',
  'Unsubscribed person': 'You unsubscribed them',
}
const ends: Record<PersonState['state'], string> = {
  active: '',
  unsubscribed: 'Left the list',
  undeliverable: 'Could not be reached any more',
  blocked: 'Blocked our mail',
}

function eventsOf({ state, audit, mails, ...person }: PersonState) {
  const { signed_up_at: signedUpAt, announcements_agreed_at: agreedAt, left_at: leftAt } = person
  const found: (RowProps & { at: number })[] = [
    { at: signedUpAt, mark: 'came', words: 'Signed up' },
  ]
  if (agreedAt !== null) found.push({ at: agreedAt, mark: 'dash', words: 'Asked for news' })
  if (leftAt !== null && state !== 'active') {
    found.push({ at: leftAt, mark: 'left', words: ends[state] })
  }
  for (const { at, action } of audit) {
    found.push({ at, mark: 'dash', words: ownActs[action] ?? action })
  }
  for (const { state: mailState, queued_at, finished_at, last_fault: fault, announced } of mails) {
    const at = finished_at ?? queued_at
    const mail = announced === null ? 'Mail' : `Announcement ${announced}`
    found.push({ at: queued_at, mark: 'dash', words: `${mail} queued` })
    const note = fault && `${explainReason(fault, mailState === 'failed').words} ${fault}`
    if (mailState === 'queued' && note) {
      found.push({ at, mark: 'look', words: `${mail} put off`, note })
    }
    if (mailState === 'sent') {
      found.push({ at, mark: 'ok', words: `${mail} taken by the mail server` })
    }
    if (mailState === 'failed') found.push({ at, mark: 'wrong', words: `${mail} failed`, note })
    if (mailState === 'cancelled') {
      found.push({ at, mark: 'left', words: `${mail} not sent: they had left` })
    }
  }
  return found.toReversed().toSorted((a, b) => b.at - a.at)
}

import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Cell, Column, Row, Table, TableBody, TableHeader } from 'react-aria-components'
import type { PeopleFound, PeopleSearch, PersonRow, Who } from '../../contract.ts'
import { deskPath } from '../../paths.ts'
import { periods, useDesk, useRemembered } from '../api.ts'
import { momentOf, number } from '../format.ts'
import { ExportDialog } from './export.tsx'
import { Address, askedAgain, Button, Choice, Glyph, View } from '../parts.tsx'

const whoNames: Record<Who, string> = {
  everyone: 'Everyone',
  active: 'On the list',
  'wants-news': 'Wants news',
  left: 'Left',
  undeliverable: 'Undeliverable',
}
const states = { active: 'On the list', unsubscribed: 'Left', undeliverable: 'Undeliverable' }
const forms: Record<string, string> = { hero: 'top form', closing: 'foot form', program: 'program' }
const mails = {
  queued: 'mail waits',
  sending: 'mail goes out',
  sent: 'mailed',
  failed: 'mail failed',
  cancelled: 'not mailed',
}

const columns: Record<string, (person: PersonRow) => ReactNode> = {
  Address: (person) => (
    <>
      <Address>{person.address}</Address>
      <span className="note phone-line" aria-hidden="true">
        {person.state !== 'active' && <StateWords of={person.state} />} {phoneLine(person)}
      </span>
    </>
  ),
  State: ({ state }) => <StateWords of={state} />,
  News: ({ state, wantsNews }) => (state === 'active' ? (wantsNews ? 'yes' : 'no') : '–'),
  Form: (person) => formOf(person) ?? '–',
  Campaign: ({ campaign }) => campaign ?? '–',
  'Since then': mailOf,
  Joined: ({ signedUpAt }) => <span className="note">{momentOf(signedUpAt)}</span>,
}
const dayMs = 24 * 60 * 60_000

/** The chosen filters. They never stand in a URL. */
const everyone = { text: '', who: 'everyone' as Who, days: '', campaign: '' }
/** The first page has no bounds. */
const firstPage: Pick<PeopleSearch, 'below' | 'above'> = {}
type Picks = typeof everyone & { page: typeof firstPage }

function usePicks() {
  const [picks, setPicks] = useRemembered<Picks>('people', { ...everyone, page: firstPage })
  const pick = (picked: Partial<Picks>) => setPicks({ ...picks, page: firstPage, ...picked })
  return [picks, pick] as const
}

export function People() {
  const [picks, pick] = usePicks()
  const search = searchFor(picks)
  const live = useDesk('POST people/search', { ...search, ...picks.page })
  const { found, newer, showNewest } = useSteadyList(live.data)
  const figure = (name: keyof PeopleFound['counts']) => (found ? number(found.counts[name]) : '–')
  return (
    <View
      heading={found ? `${figure('active')} on the list` : '–'}
      sentence={
        <>
          {figure('wantNews')} want news of new versions. {figure('left')} left, {figure('undeliverable')}{' '}
          cannot be reached. <ExportDialog search={search} whoName={whoNames[picks.who]} />
        </>
      }
      query={live}
      foot={`Newest first. ${askedAgain}`}
    >
      <Search campaigns={found?.campaigns ?? []} />
      {newer > 0 && (
        <p className="pages">
          <Button kind="link" onPress={showNewest}>
            {number(newer)} new
          </Button>
        </p>
      )}
      {found?.people.length === 0 ? (
        <div className="empty" aria-live="polite">
          <h2>Nobody found</h2>
          <p>No address like this is on the list. Mistyped addresses stand as they were typed.</p>
          <Button onPress={() => pick(everyone)}>Show everyone</Button>
        </div>
      ) : (
        <>
          <PeopleTable people={found?.people ?? []} />
          {found && <Pages found={found} />}
        </>
      )}
    </View>
  )
}

function searchFor({ text, days, who, campaign }: Picks): PeopleSearch {
  const first = new Date(Date.now() - (Number(days) - 1) * dayMs)
  return {
    who,
    ...(text.trim() !== '' && { text: text.trim() }),
    ...(days !== '' && { from: first.toISOString().slice(0, 10) }),
    ...(campaign !== '' && { campaign }),
  }
}

/** The list does not move under the finger: who is newer is counted, and shown when asked for. */
function useSteadyList(live: PeopleFound | undefined) {
  const [shown, setShown] = useState(live)
  const isSameList = shown && live && shown.people.at(-1)?.id === live.people.at(-1)?.id
  const top = (list: PeopleFound | undefined) => list?.people[0]?.id ?? 0
  const grew = live && shown ? live.total - shown.total : 0
  const holds =
    grew > 0 && top(live) > top(shown) && (isSameList || live?.people.length === 50) && live?.newer === 0
  if (!holds && live !== shown) setShown(live)
  return { found: holds ? shown : live, newer: holds ? grew : 0, showNewest: () => setShown(live) }
}

function Search({ campaigns }: { campaigns: readonly string[] }) {
  const [picks, pick] = usePicks()
  return (
    <search className="people-search">
      <label className="box">
        <span className="note">Search</span>
        <input
          type="search"
          ref={useSlashKey()}
          value={picks.text}
          placeholder="any part of an address"
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => pick({ text: event.target.value })}
        />
      </label>
      <div className="picks">
        <Choice
          label="Who"
          value={picks.who}
          options={Object.entries(whoNames) as [Who, string][]} // its keys
          onChoose={(who) => pick({ who })}
        />
        <Choice
          label="Signed up"
          value={picks.days}
          options={[['', 'Any day'], ...Object.entries(periods)]}
          onChoose={(days) => pick({ days })}
        />
        <Choice
          label="Campaign"
          value={picks.campaign}
          options={[['', 'Any'], ['none', 'None named'], ...campaigns.map((one) => [one, one] as const)]}
          onChoose={(campaign) => pick({ campaign })}
        />
      </div>
    </search>
  )
}

/** The key / leads to the field. */
function useSlashKey() {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof Element && event.target.matches('input, textarea, select')
      if (event.key !== '/' || isTyping) return
      event.preventDefault()
      field.current?.focus()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
  return field
}

function PeopleTable({ people }: { people: readonly PersonRow[] }) {
  return (
    <Table aria-label="People" className="people-table">
      <TableHeader>
        {Object.keys(columns).map((name) => (
          <Column key={name} id={name} isRowHeader={name === 'Address'}>
            {name}
          </Column>
        ))}
      </TableHeader>
      <TableBody>
        {people.map((person) => (
          <Row
            key={person.id}
            id={person.id}
            href={`${deskPath}/people/${person.id}`}
            textValue={person.address}
          >
            {Object.entries(columns).map(([name, cell]) => (
              <Cell key={name}>{cell(person)}</Cell>
            ))}
          </Row>
        ))}
      </TableBody>
    </Table>
  )
}

function StateWords({ of }: { of: PersonRow['state'] }) {
  return (
    <span className="state-words">
      {of === 'unsubscribed' && <Glyph of="left" />}
      {of === 'undeliverable' && <Glyph of="wrong" />}
      {states[of]}
    </span>
  )
}

/** One line of what is worth knowing. */
function phoneLine(person: PersonRow): string {
  const news = person.wantsNews && person.state === 'active' && 'wants news'
  return [news, person.campaign ?? formOf(person), mailOf(person)].filter(Boolean).join(' · ')
}

function formOf({ form }: PersonRow): string | undefined {
  return form === null ? undefined : (forms[form] ?? form)
}

function mailOf({ mail }: PersonRow): string {
  return mail ? mails[mail.state] : '–'
}

function Pages({ found }: { found: PeopleFound }) {
  const [, pick] = usePicks()
  const { people, newer, total } = found
  const last = newer + people.length
  return (
    <div className="pages">
      <span className="note" aria-live="polite">
        {number(newer + 1)}–{number(last)} of {number(total)}
      </span>
      <span>
        <Button
          kind="link"
          isDisabled={newer === 0}
          onPress={() => pick({ page: { above: people[0]?.id ?? 0 } })}
        >
          Newer
        </Button>
        <Button
          kind="link"
          isDisabled={last >= total}
          onPress={() => pick({ page: { below: people.at(-1)?.id ?? 0 } })}
        >
          Older
        </Button>
      </span>
    </div>
  )
}

import { Button, NativeSelect, Pagination, Table, TextInput } from '@mantine/core'
import { useDebouncedValue, useHotkeys } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef } from 'react'
import { type Answers, periods, type Sent, trpc, useRemembered } from '../../api.ts'
import { momentOf, number } from '../../format.ts'
import { go, Link } from '../../location.tsx'
import { Address, askedAgain, Glyph, pending, View } from '../../parts.tsx'
import { ExportDialog } from './export.tsx'

type PersonRow = Answers['people']['search']['people'][number]
type Search = Sent['people']['search']
export type Who = Search['who']

const whoNames: Record<Who, string> = {
  everyone: 'Everyone',
  active: 'On the list',
  'wants-news': 'Wants news',
  left: 'Left',
  undeliverable: 'Undeliverable',
  blocked: 'Blocked our mail',
}
const states = {
  active: 'On the list',
  unsubscribed: 'Left',
  undeliverable: 'Undeliverable',
  blocked: 'Blocked our mail',
}
const forms: Record<string, string> = { hero: 'top form', closing: 'foot form', program: 'program' }
const mails: Record<string, string> = {
  queued: 'mail waits',
  sending: 'mail goes out',
  sent: 'mailed',
  failed: 'mail failed',
  cancelled: 'not mailed',
  held: 'mail held back',
}

const columns: Record<string, (person: PersonRow) => ReactNode> = {
  Address: (person) => (
    <>
      <Link to={`people/${person.id}`}>
        <Address>{person.address}</Address>
      </Link>
      <span className="note phone-line" aria-hidden="true">
        {person.state !== 'active' && <StateWords of={person.state} />} {phoneLine(person)}
      </span>
    </>
  ),
  State: ({ state }) => <StateWords of={state} />,
  News: ({ state, wantsNews }) => (state === 'active' ? (wantsNews ? 'yes' : 'no') : pending),
  Form: (person) => formOf(person),
  Campaign: ({ campaign }) => campaign ?? pending,
  'Since then': mailOf,
  Joined: ({ signedUpAt }) => <span className="note">{momentOf(signedUpAt)}</span>,
}
const dayMs = 24 * 60 * 60_000
const pageRows = 50

/** The chosen filters. They never stand in a URL. */
const everyone = { text: '', who: 'everyone' as Who, days: '', campaign: '', page: 0 }

function usePicks() {
  const [picks, setPicks] = useRemembered('people', everyone)
  const pick = (picked: Partial<typeof everyone>) => setPicks({ ...picks, page: 0, ...picked })
  return [picks, pick] as const
}

export function People() {
  const [picks, pick] = usePicks()
  const [settled] = useDebouncedValue(picks, 150, { leading: true })
  const search = searchFor(settled)
  const query = useQuery({ ...trpc.people.search.queryOptions(search), placeholderData: keepPreviousData })
  const found = query.data
  const figure = (name: keyof Answers['people']['search']['counts']) =>
    found ? number(found.counts[name]) : pending
  const pages = Math.ceil((found?.total ?? 0) / pageRows)
  return (
    <View
      heading={found ? `${figure('active')} on the list` : pending}
      sentence={
        <>
          {figure('wantNews')} want news. {figure('left')} left, {figure('undeliverable')} cannot be reached.{' '}
          <ExportDialog search={search} whoName={whoNames[picks.who]} />{' '}
          <Link to="people/import">Import</Link>
        </>
      }
      query={query}
      foot={`Newest first. ${askedAgain}`}
    >
      <SearchFields campaigns={found?.campaigns ?? []} />
      {found?.people.length === 0 ? (
        <div className="empty" aria-live="polite">
          <h2>Nobody found</h2>
          <p>No address like this is on the list. Mistyped addresses stand as they were typed.</p>
          <Button onClick={() => pick(everyone)}>Show everyone</Button>
        </div>
      ) : (
        <div>
          <PeopleTable people={found?.people ?? []} />
        </div>
      )}
      {found && found.people.length > 0 && (
        <div className="pages">
          <span className="note" aria-live="polite">
            {number(picks.page * pageRows + 1)}–{number(picks.page * pageRows + found.people.length)} of{' '}
            {number(found.total)}
          </span>
          {pages > 1 && (
            <Pagination total={pages} value={picks.page + 1} onChange={(page) => pick({ page: page - 1 })} />
          )}
        </div>
      )}
    </View>
  )
}

function searchFor({ text, days, who, campaign, page }: typeof everyone): Search {
  const first = new Date(Date.now() - (Number(days) - 1) * dayMs)
  return {
    who,
    page,
    ...(text.trim() !== '' && { text: text.trim() }),
    ...(days !== '' && { from: first.toISOString().slice(0, 10) }),
    ...(campaign !== '' && { campaign }),
  }
}

function SearchFields({ campaigns }: { campaigns: readonly string[] }) {
  const [picks, pick] = usePicks()
  const field = useRef<HTMLInputElement>(null)
  useHotkeys([['/', () => field.current?.focus()]])
  return (
    <search className="people-search">
      <TextInput
        label="Search"
        type="search"
        ref={field}
        value={picks.text}
        placeholder="any part of an address"
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => pick({ text: event.target.value })}
      />
      <NativeSelect
        label="Who"
        value={picks.who}
        data={optionsOf(Object.entries(whoNames))}
        onChange={(event) => pick({ who: event.target.value as Who })} // one of the options
      />
      <NativeSelect
        label="Signed up"
        value={picks.days}
        data={optionsOf([['', 'Any day'], ...Object.entries(periods)])}
        onChange={(event) => pick({ days: event.target.value })}
      />
      <NativeSelect
        label="Campaign"
        value={picks.campaign}
        data={optionsOf([
          ['', 'Any'],
          ['none', 'None named'],
          ...campaigns.map((one) => [one, one] as const),
        ])}
        onChange={(event) => pick({ campaign: event.target.value })}
      />
    </search>
  )
}

export function optionsOf(pairs: readonly (readonly [value: string, label: string])[]) {
  return pairs.map(([value, label]) => ({ value, label }))
}

function PeopleTable({ people }: { people: readonly PersonRow[] }) {
  return (
    <Table className="people-table" aria-label="People">
      <Table.Thead>
        <Table.Tr>
          {Object.keys(columns).map((name) => (
            <Table.Th key={name}>{name}</Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {people.map((person) => (
          <Table.Tr key={person.id} onClick={() => go(`people/${person.id}`)}>
            {Object.entries(columns).map(([name, cell]) => (
              <Table.Td key={name}>{cell(person)}</Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

function StateWords({ of }: { of: PersonRow['state'] }) {
  return (
    <span className="state-words">
      {of === 'unsubscribed' && <Glyph of="left" />}
      {(of === 'undeliverable' || of === 'blocked') && <Glyph of="wrong" />}
      {states[of]}
    </span>
  )
}

/** One line of what is worth knowing. */
function phoneLine(person: PersonRow): string {
  const news = person.wantsNews && person.state === 'active' && 'wants news'
  return [news, person.campaign ?? formOf(person), mailOf(person)].filter(Boolean).join(' · ')
}

function formOf({ form }: PersonRow): string {
  return form === null ? 'imported' : (forms[form] ?? form)
}

function mailOf({ mail }: PersonRow): string {
  return mail ? (mails[mail.state] ?? mail.state) : pending
}

import { Button, Group, NativeSelect, Pagination, SimpleGrid, Table, Text, TextInput } from '@mantine/core'
import { useDebouncedValue, useHotkeys } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { type Answers, periods, type Sent, trpc, useRemembered } from '../../api.ts'
import { momentOf, number } from '../../format.ts'
import { go, hrefOf } from '../../location.ts'
import { Glyph, pending, View } from '../../parts/parts.tsx'
import { ExportDialog } from './export.tsx'

type PersonRow = Answers['people']['search']['people'][number]
type Search = Sent['people']['search']

const whoNames: Record<Search['who'], string> = {
  everyone: 'Everyone',
  active: 'On the list',
  'wants-news': 'Wants news',
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
const dayMs = 24 * 60 * 60_000
const pageRows = 50

/** The chosen filters. They never stand in a URL. */
const everyone = { text: '', who: 'everyone' as Search['who'], days: '', campaign: '', page: 0 }

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
  const { people = [], total = 0, counts, campaigns = [] } = query.data ?? {}
  const first = picks.page * pageRows
  return (
    <View
      heading={counts ? `${number(counts.active)} on the list` : pending}
      sentence={
        counts &&
        `${number(counts.wantNews)} want news. ${number(counts.unsubscribed)} left, ${number(counts.undeliverable)} cannot be reached.`
      }
      actions={
        <>
          <ExportDialog search={search} whoName={whoNames[picks.who]} />
          <Button component="a" href={hrefOf('people/import')}>
            Import
          </Button>
        </>
      }
      query={query}
    >
      <SearchFields campaigns={campaigns} />
      {query.data && people.length === 0 ? (
        <section aria-live="polite">
          <h2>Nobody found</h2>
          <p>No address like this is on the list. Mistyped addresses stand as they were typed.</p>
          <Button onClick={() => pick(everyone)}>Show everyone</Button>
        </section>
      ) : (
        <section aria-label="People">
          <PeopleTable people={people} />
          <Group justify="space-between">
            <span className="note" aria-live="polite">
              {number(first + 1)}–{number(first + people.length)} of {number(total)}, newest first
            </span>
            {total > pageRows && (
              <Pagination
                total={Math.ceil(total / pageRows)}
                value={picks.page + 1}
                onChange={(page) => pick({ page: page - 1 })}
              />
            )}
          </Group>
        </section>
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
  const choices = (label: string, name: 'who' | 'days' | 'campaign', options: Record<string, string>) => (
    <NativeSelect
      label={label}
      value={picks[name]}
      data={optionsOf(options)}
      onChange={(event) => pick({ [name]: event.target.value })}
    />
  )
  return (
    <SimpleGrid component="search" cols={{ base: 1, sm: 4 }}>
      <TextInput
        label="Search"
        type="search"
        ref={field}
        value={picks.text}
        placeholder="any part of an address"
        autoComplete="off"
        onChange={(event) => pick({ text: event.target.value })}
      />
      {choices('Who', 'who', whoNames)}
      {choices('Signed up', 'days', { '': 'Any day', ...periods })}
      {choices('Campaign', 'campaign', {
        '': 'Any',
        none: 'None named',
        ...Object.fromEntries(campaigns.map((one) => [one, one])),
      })}
    </SimpleGrid>
  )
}

export function optionsOf(options: Record<string, string>) {
  return Object.entries(options).map(([value, label]) => ({ value, label }))
}

function PeopleTable({ people }: { people: readonly PersonRow[] }) {
  return (
    <Table aria-label="People" highlightOnHover>
      <Table.Thead visibleFrom="sm">
        <Table.Tr>
          {['Address', 'State', 'News', 'Form', 'Campaign', 'Since then', 'Joined'].map((name) => (
            <Table.Th key={name}>{name}</Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {people.map((person) => (
          <PersonCells key={person.id} {...person} />
        ))}
      </Table.Tbody>
    </Table>
  )
}

function PersonCells({ id, address, state, wantsNews, form, campaign, mail, signedUpAt }: PersonRow) {
  const news = state !== 'active' ? pending : wantsNews ? 'yes' : 'no'
  const formName = form === null ? 'imported' : (forms[form] ?? form)
  const mailName = mail ? (mails[mail.state] ?? mail.state) : pending
  const stateWords = (
    <>
      {state !== 'active' && <Glyph of={state === 'unsubscribed' ? 'left' : 'wrong'} />}
      {whoNames[state]}
    </>
  )
  return (
    <Table.Tr onClick={() => go(`people/${id}`)}>
      <Table.Td>
        <a href={hrefOf(`people/${id}`)}>{address}</a>
        <Text className="note" hiddenFrom="sm" aria-hidden="true">
          {state !== 'active' && stateWords}{' '}
          {[news === 'yes' && 'wants news', campaign ?? formName, mailName].filter(Boolean).join(' · ')}
        </Text>
      </Table.Td>
      {[stateWords, news, formName, campaign ?? pending, mailName].map((cell, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the columns do not move
        <Table.Td key={index} visibleFrom="sm">
          {cell}
        </Table.Td>
      ))}
      <Table.Td className="on-axis">{momentOf(signedUpAt)}</Table.Td>
    </Table.Tr>
  )
}

import { useEffect, useRef, useState } from 'react'
import { Cell, Column, Row, Table, TableBody, TableHeader } from 'react-aria-components'
import { deskText } from '#content/desk.ts'
import type { PeopleFound, PeopleSearch, PersonRow, Who } from '../../contract.ts'
import { deskPath } from '../../paths.ts'
import { useDesk } from '../api.ts'
import { momentOf, number } from '../format.ts'
import { ExportDialog } from './export.tsx'
import { Address, Button, Choice, Glyph, LoadFault, useRemembered, View } from '../parts.tsx'

const words = deskText.people
const dayMs = 24 * 60 * 60_000

/** The search. It never stands in a URL. */
export interface Wish {
  text: string
  who: Who
  /** People who signed up in so many last days. Empty: on any day. */
  days: string
  campaign: string
  below?: number
  above?: number
}

const everyone: Wish = { text: '', who: 'everyone', days: '', campaign: '' }

export function People() {
  const [wish, setWish] = useRemembered('people', everyone)
  const [exports, setExports] = useState(false)
  const live = useDesk('POST people/search', searchFor(wish))
  const { found, newer, showNewest } = useSteadyList(live.data)
  const { counts } = found ?? {}
  const figure = (value: number | undefined) => (value === undefined ? '–' : number(value))
  return (
    <View
      heading={words.heading(figure(counts?.active))}
      sentence={
        <>
          {words.summary(figure(counts?.wantNews), figure(counts?.left), figure(counts?.undeliverable))}{' '}
          <Button kind="link" onPress={() => setExports(true)}>
            {words.export}
          </Button>
        </>
      }
    >
      <Search wish={wish} campaigns={found?.campaigns ?? []} onWish={setWish} />
      {exports && <ExportDialog search={searchFor(wish)} onClose={() => setExports(false)} />}
      <LoadFault of={live} />
      {newer > 0 && (
        <p className="new-ones">
          <Button kind="link" onPress={showNewest}>
            {words.news(number(newer))}
          </Button>
        </p>
      )}
      {found && found.people.length === 0 ? (
        <div className="empty">
          <h2>{words.nobody}</h2>
          <p>{words.nobodyText}</p>
          <Button onPress={() => setWish(everyone)}>{words.showEveryone}</Button>
        </div>
      ) : (
        <PeopleTable people={found?.people ?? []} />
      )}
      {found && found.people.length > 0 && <Pages found={found} wish={wish} onWish={setWish} />}
      <p className="foot soft">
        {words.order} {deskText.askedAgain}
      </p>
    </View>
  )
}

function searchFor({ text, days, who, campaign, below, above }: Wish): PeopleSearch {
  return {
    who,
    ...(text.trim() !== '' && { text: text.trim() }),
    ...(days !== '' && {
      from: new Date(Date.now() - (Number(days) - 1) * dayMs).toISOString().slice(0, 10),
    }),
    ...(campaign !== '' && { campaign }),
    ...(below !== undefined && { below }),
    ...(above !== undefined && { above }),
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

interface SearchProps {
  wish: Wish
  campaigns: readonly string[]
  onWish: (wish: Wish) => void
}

function Search({ wish, campaigns, onWish }: SearchProps) {
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
  const change = (changed: Partial<Wish>) => {
    const { below: _, above: __, ...first } = wish
    onWish({ ...first, ...changed })
  }
  return (
    <search className="people-search">
      <label className="box">
        <span className="note">{words.search}</span>
        <input
          type="search"
          ref={field}
          value={wish.text}
          placeholder={words.placeholder}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => change({ text: event.target.value })}
        />
      </label>
      <div className="picks">
        <Choice
          label={words.who}
          value={wish.who}
          options={Object.entries(words.whoChoices)}
          onChoose={(who) => change({ who: who as Who })} // one of its keys
        />
        <Choice
          label={words.signedUp}
          value={wish.days}
          options={Object.entries(words.days).toSorted(([a], [b]) => Number(a) - Number(b))}
          onChoose={(days) => change({ days })}
        />
        <Choice
          label={words.campaign}
          value={wish.campaign}
          options={[
            ['', words.anyCampaign],
            ['none', words.noCampaign],
            ...campaigns.map((one) => [one, one] as const),
          ]}
          onChoose={(campaign) => change({ campaign })}
        />
      </div>
    </search>
  )
}

function PeopleTable({ people }: { people: readonly PersonRow[] }) {
  const { columns } = words
  return (
    <Table aria-label={words.tableName} className="people-table">
      <TableHeader>
        <Column isRowHeader>{columns.address}</Column>
        <Column>{columns.state}</Column>
        <Column>{columns.news}</Column>
        <Column>{columns.form}</Column>
        <Column>{columns.campaign}</Column>
        <Column>{columns.mail}</Column>
        <Column>{columns.joined}</Column>
      </TableHeader>
      <TableBody>
        {people.map((person) => (
          <Row
            key={person.id}
            id={person.id}
            href={`${deskPath}/people/${person.id}`}
            textValue={person.address}
          >
            <Cell>
              <Address>{person.address}</Address>
              <span className="note phone-line" aria-hidden="true">
                {person.state !== 'active' && <StateWords of={person.state} />} {phoneLine(person)}
              </span>
            </Cell>
            <Cell>
              <StateWords of={person.state} />
            </Cell>
            <Cell>{person.state === 'active' ? (person.wantsNews ? words.yes : words.no) : '–'}</Cell>
            <Cell>{formOf(person) ?? '–'}</Cell>
            <Cell>{person.campaign ?? '–'}</Cell>
            <Cell>{mailOf(person)}</Cell>
            <Cell>
              <span className="note">{momentOf(person.signedUpAt)}</span>
            </Cell>
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
      {words.states[of]}
    </span>
  )
}

/** One line of what is worth knowing. */
function phoneLine(person: PersonRow): string {
  const news = person.wantsNews && person.state === 'active' ? words.wantsNews : undefined
  return [news, person.campaign ?? formOf(person), mailOf(person)].filter(Boolean).join(' · ')
}

function formOf({ form }: PersonRow): string | undefined {
  return form === null ? undefined : (words.forms[form] ?? form)
}

function mailOf({ mail }: PersonRow): string {
  return mail ? words.mails[mail.state] : '–'
}

function Pages({ found, wish, onWish }: { found: PeopleFound; wish: Wish; onWish: (wish: Wish) => void }) {
  const { people, newer, total } = found
  const { below: _, above: __, ...list } = wish
  const [first, last] = [people[0]?.id ?? 0, people.at(-1)?.id ?? 0]
  return (
    <div className="pages">
      <span className="note">
        {words.range(number(newer + 1), number(newer + people.length), number(total))}
      </span>
      <span>
        <Button kind="link" disabled={newer === 0} onPress={() => onWish({ ...list, above: first })}>
          {words.newer}
        </Button>
        <Button
          kind="link"
          disabled={newer + people.length >= total}
          onPress={() => onWish({ ...list, below: last })}
        >
          {words.older}
        </Button>
      </span>
    </div>
  )
}

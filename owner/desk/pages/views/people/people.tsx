import {
  Button,
  Checkbox,
  Group,
  NativeSelect,
  Pagination,
  SimpleGrid,
  Table,
  Text,
  TextInput,
} from '@mantine/core'
import { useDebouncedValue, useHotkeys } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { TRPCClientError } from '@trpc/client'
import { useRef } from 'react'
import { deskApiPath } from '../../../paths.ts'
import { ActButton } from '../../parts/acts.tsx'
import { type Answers, periods, send, type Sent, trpc, useRemembered } from '../../api.ts'
import { counted, momentOf, number } from '../../format.ts'
import { hrefOf } from '../../location.ts'
import { breakable, Glyph, pending, View } from '../../parts/parts.tsx'

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
const tools = [
  { value: 'csv', label: 'Plain CSV' },
  { value: 'kit', label: 'Kit' },
  { value: 'mailchimp', label: 'Mailchimp' },
  { value: 'mailerlite', label: 'MailerLite' },
  { value: 'buttondown', label: 'Buttondown' },
  { value: 'listmonk', label: 'listmonk' },
  { value: 'ghost', label: 'Ghost' },
  { value: 'beehiiv', label: 'beehiiv' },
]
const pageRows = 50

/** The chosen filters. They never stand in a URL. */
const everyone: Search = { text: '', who: 'everyone', days: '', campaign: '', page: 0 }

function usePicks() {
  const [picks, setPicks] = useRemembered('people', everyone)
  const pick = (picked: Partial<Search>) => setPicks({ ...picks, page: 0, ...picked })
  return [picks, pick] as const
}

export function People() {
  const [picks, pick] = usePicks()
  const [settled] = useDebouncedValue(picks, 150, { leading: true })
  const query = useQuery(trpc.people.search.queryOptions(settled))
  const { people = [], total = 0, counts, wantNews = 0, campaigns = [] } = query.data ?? {}
  const first = picks.page * pageRows
  return (
    <View
      heading={counts ? `${number(counts.active)} on the list` : pending}
      note={
        counts &&
        `${number(wantNews)} want news. ${number(counts.unsubscribed)} left, ${number(counts.undeliverable)} cannot be reached.`
      }
      actions={
        <>
          {query.data && <Export search={settled} total={total} />}
          <Button component="a" href={hrefOf('people/import')}>
            Import
          </Button>
        </>
      }
      query={query}
    >
      <SearchFields campaigns={campaigns} />
      {people.length === 0 && Object.values(counts ?? {}).some((count) => count > 0) && (
        <section aria-live="polite">
          <h2>Nobody found</h2>
          <p>Mistyped addresses stand as they were typed.</p>
          <Button onClick={() => pick(everyone)}>Show everyone</Button>
        </section>
      )}
      {people.length > 0 && (
        <section aria-label="People">
          <Table
            aria-label="People"
            className="people on-axis"
            highlightOnHover
            data={{ head: columns, body: people.map(cellsOf) }}
          />
          <Group justify="space-between">
            <span className="note" aria-live="polite">
              {number(first + 1)}–{number(first + people.length)} of {number(total)}, newest first
            </span>
            <Pagination
              hideWithOnePage
              total={Math.ceil(total / pageRows)}
              value={picks.page + 1}
              onChange={(page) => pick({ page: page - 1 })}
            />
          </Group>
        </section>
      )}
    </View>
  )
}

function SearchFields({ campaigns }: { campaigns: readonly string[] }) {
  const [picks, pick] = usePicks()
  const field = useRef<HTMLInputElement>(null)
  useHotkeys([['/', () => field.current?.focus()]])
  const choices = (
    label: string,
    name: 'who' | 'days' | 'campaign',
    options: Record<string, string>,
  ) => (
    <NativeSelect
      label={label}
      value={picks[name]}
      data={Object.entries(options).map(([value, words]) => ({ value, label: words }))}
      onChange={(event) => pick({ [name]: event.target.value })}
    />
  )
  return (
    <SimpleGrid component="search" mt="lg" cols={{ base: 1, sm: 4 }}>
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
        ...Object.fromEntries(campaigns.map((one) => [one, campaignOf(one) ?? 'None named'])),
      })}
    </SimpleGrid>
  )
}

/** Null: none was named. */
export const campaignOf = (campaign: string | null) =>
  campaign === 'none' ? null : campaign === 'other' ? 'others' : campaign

const columns = ['Address', 'State', 'News', 'Form', 'Campaign', 'Since then', 'Joined']

/** On a phone the table has the first and the last of these cells. */
function cellsOf(person: Answers['people']['search']['people'][number]) {
  const { id, address, state, form, mail } = person
  const campaign = campaignOf(person.campaign)
  const news = state === 'active' && (person.announcements_agreed_at === null ? 'no' : 'yes')
  const formName = form === null ? 'imported' : (forms[form] ?? form)
  const mailName = mail && (mails[mail] ?? mail)
  const stateWords = (
    <>
      {state !== 'active' && <Glyph of={state === 'unsubscribed' ? 'left' : 'wrong'} />}
      {whoNames[state]}
    </>
  )
  const who = (
    <>
      <a href={hrefOf(`people/${id}`)}>{breakable(address)}</a>
      <Text className="note" hiddenFrom="sm" aria-hidden="true">
        {state !== 'active' && stateWords}{' '}
        {[news === 'yes' && 'wants news', campaign ?? formName, mailName]
          .filter(Boolean)
          .join(' · ')}
      </Text>
    </>
  )
  const others = [news, formName, campaign, mailName].map((words) => words || pending)
  return [who, stateWords, ...others, momentOf(person.signed_up_at)]
}

/** Those who are found in People, as a file for one tool. */
function Export({ search, total }: { search: Search; total: number }) {
  const fields = (
    <>
      <p>
        Who: the {counted(total, 'person', 'people')} found here. Keep the file as safe as your
        inbox.
      </p>
      <NativeSelect label="For which tool" name="tool" data={tools} />
      <Checkbox label="Only those who asked for news" name="consentedOnly" defaultChecked />
    </>
  )
  const act = (chosen: FormData) =>
    download({ ...search, tool: chosen.get('tool'), consentedOnly: chosen.has('consentedOnly') })
  return (
    <ActButton words="Export" heading="Export people" label="Download" act={act} ask={fields} />
  )
}

/** A file is not JSON, so it does not come through the API's client. */
async function download(wish: object): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const answer = await send(`${deskApiPath}/export`, {
    method: 'POST',
    headers,
    body: JSON.stringify(wish),
  })
  if (!answer.ok) throw TRPCClientError.from(await answer.json())
  const link = document.createElement('a')
  link.href = URL.createObjectURL(await answer.blob())
  link.download =
    /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '')?.[1] ?? ''
  link.click()
  URL.revokeObjectURL(link.href)
}

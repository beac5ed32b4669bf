import { Group, NumberInput, Radio, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { firstHourMails, hoursFor, returnedLimit } from '../../../../announcements/slow-start.ts'
import { ActButton, tell } from '../../parts/acts.tsx'
import { type AnnounceState, api, type Draft, messageOf, type Sent, trpc, useRemembered } from '../../api.ts'
import { counted, dayName, number } from '../../format.ts'
import { pending, Section } from '../../parts/parts.tsx'
import { MailPreview } from './mail-preview.tsx'

type Order = Sent['announce']['start']
/** No audience is chosen at first. */
type Choices = Omit<Order, 'kind' | 'to'> & { to: Order['to'] | null }

const law =
  'They asked for a script, not for news. In the EU and the UK mail like this needs their consent, with few exceptions. Look up what holds for you first.'
const saveAfterMs = 800

interface ComposeProps {
  kind: Draft['kind']
  state: AnnounceState
}

/** A mail in the making: its words, audience and pace, and the button that starts it; beside them the mail as it arrives. */
export function Compose({ kind, state }: ComposeProps) {
  const [choices, choose] = useChoices({ kind, state })
  const { subject, text, to, mostPerHour } = choices
  const audiences = useQuery(trpc.announce.audiences.queryOptions({ kind }))
  const choice = (audience: Order['to'], name: string) => ({
    value: audience,
    label: `${name}: ${audiences.data ? number(audiences.data[audience]) : pending}`,
  })
  const isReady = kind === 'version' ? state.canStartVersion : Boolean(subject.trim() && text.trim())
  const count = isReady && to ? audiences.data?.[to] : undefined
  if (kind === 'version' && !state.version)
    return (
      <Section
        heading="No release notes"
        note="Write those of the kit’s version in content/releases.ts, then restart."
      />
    )
  return (
    <SimpleGrid>
      <div>
        <Section {...headOf({ kind, state })}>
          <Stack>
            <TextInput
              label="Subject"
              value={subject}
              onChange={({ target }) => choose({ subject: target.value })}
            />
            <Textarea
              {...fields[kind]}
              value={text}
              onChange={({ target }) => choose({ text: target.value })}
            />
          </Stack>
        </Section>
        <Section heading="To whom" query={audiences}>
          <Radio.Group aria-label="To whom" value={to} onChange={(value) => choose({ to: value })}>
            <Stack>
              <Radio {...choice('consented', 'Those who asked for news')} />
              <Radio {...choice('everyone', 'Everyone on the list')} description={law} />
            </Stack>
          </Radio.Group>
          {kind === 'version' && (
            <p className="soft">Those who signed up after the version came out are left out: they have it.</p>
          )}
        </Section>
        <Pace most={mostPerHour} ofSite={state.siteMailsPerHour} count={count} choose={choose} />
        <Send
          order={{ kind, subject, text, to: to ?? 'consented', mostPerHour }}
          count={count}
          onStart={() => kind === 'letter' && choose({ subject: '', text: '' })}
        >
          {isReady ? 'Choose to whom first.' : 'This cannot be announced: it was, or it has no text yet.'}
        </Send>
      </div>
      <MailPreview draft={{ kind, subject, text }} />
    </SimpleGrid>
  )
}

/** What is chosen outlives the view. The server keeps the draft of a letter as well. */
function useChoices({ kind, state: { version, letter } }: ComposeProps) {
  const usual = kind === 'letter' ? letter : { subject: version?.subject ?? '', text: '' }
  const [choices, remember] = useRemembered<Choices>(`announce ${kind}`, { ...usual, to: null })
  const save = useDebouncedCallback((changed: Choices) => {
    api.announce.saveLetter.mutate(changed).catch((error: unknown) => tell(messageOf(error), true))
  }, saveAfterMs)
  const choose = (part: Partial<Choices>) => {
    const changed = { ...choices, ...part }
    remember(changed)
    if (kind === 'letter') save(changed)
  }
  return [choices, choose] as const
}

const fields = {
  version: { label: 'A word from you, if you like', placeholder: 'Two or three lines, above the notes' },
  letter: {
    label: 'Text',
    description:
      'Markdown: **bold**, [a link](https://example.com), - a list. An empty line parts paragraphs.',
    autosize: true,
    minRows: 10,
  },
}

function headOf({ kind, state: { version } }: ComposeProps) {
  if (kind === 'letter' || !version)
    return { heading: 'Your letter', note: 'The draft is kept here until it is sent.' }
  return {
    heading: `Version ${version.version}`,
    note: `Of ${dayName(version.date)}, from the release notes in content/releases.ts.`,
    rows: version.changes.map((change) => ({ words: change.replaceAll(/[`*]/g, '') })),
  }
}

interface PaceProps {
  most: number | undefined
  ofSite: number | null
  count: number | undefined
  choose: (choice: { mostPerHour: number | undefined }) => void
}

function Pace({ most, ofSite, count, choose }: PaceProps) {
  const end = most === undefined ? '' : `, up to ${number(most)}`
  const pace =
    most !== undefined && most <= firstHourMails
      ? `At most ${number(most)} an hour.`
      : `It begins with ${firstHourMails} in the first hour and doubles each hour${end}.`
  const limits = { perHour: null, mostPerHour: most ?? null, siteMailsPerHour: ofSite ?? Infinity }
  const time = count ? `Takes about ${counted(hoursFor(count, limits), 'hour')}.` : ''
  return (
    <Section heading="How fast">
      <NumberInput
        label="At most … an hour"
        min={1}
        max={ofSite ?? 1_000_000}
        allowDecimal={false}
        placeholder={ofSite === null ? 'no limit' : number(ofSite)}
        value={most ?? ''}
        onChange={(value) => choose({ mostPerHour: Number(value) || undefined })}
      />
      <p className="soft">
        {pace} Sign-up mail goes first. It pauses automatically above {100 * returnedLimit} % returned or 0.1
        % complaints. {time}
      </p>
    </Section>
  )
}

interface SendProps {
  order: Order
  /** Undefined: it cannot be sent yet, and `children` say why. */
  count: number | undefined
  onStart: () => unknown
  children: string
}

function Send({ order, count, onStart, children }: SendProps) {
  const people = counted(count ?? 0, 'person', 'people')
  return (
    <Section heading="Send">
      <Group gap="xs">
        <ActButton
          words={count === undefined ? 'Announce' : `Announce to ${people}`}
          variant="filled"
          disabled={!count}
          heading={`Send “${order.subject}” to ${people}?`}
          act={() => api.announce.start.mutate(order).then(onStart)}
          ask={order.to === 'everyone' ? law : 'The first mail goes a minute later.'}
        />
        <ActButton
          words="Send a test to me"
          act={() => api.announce.test.mutate(order)}
          done="A test is on its way to you."
        />
      </Group>
      <p className="soft">
        {count === undefined
          ? children
          : 'Asks for a fresh code. The first mail goes a minute later: until then you can take it back.'}
      </p>
    </Section>
  )
}

import { Group, NumberInput, Radio, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { firstHourMails, hoursFor, returnedLimit } from '../../../../announcements/slow-start.ts'
import { ActButton, tell } from '../../parts/acts.tsx'
import {
  type AnnounceState,
  api,
  type Draft,
  messageOf,
  type Sent,
  trpc,
  useRemembered,
} from '../../api.ts'
import { counted, dayName, number } from '../../format.ts'
import { pending, Section } from '../../parts/parts.tsx'
import { MailPreview } from './mail-preview.tsx'

type Order = Sent['announce']['start']
/** No audience is chosen at first. */
type Choices = Pick<Order, 'subject' | 'text'> & {
  to: Order['to'] | null
  mostPerHour: number | null
}

const law =
  'They asked for a script, not for news. In the EU and the UK mail like this needs their consent, with few exceptions. Look up what holds for you first.'
const saveAfterMs = 800

interface ComposeProps {
  kind: Draft['kind']
  state: AnnounceState
}

/**
 * A mail in the making: its words, audience and pace, and the button that starts it; beside them
 * the mail as it arrives.
 */
export function Compose({ kind, state }: ComposeProps) {
  const [choices, choose] = useChoices({ kind, state })
  const { subject, text, to, mostPerHour } = choices
  const { siteMailsPerHour: most } = state
  const audiences = useQuery(trpc.announce.audiences.queryOptions({ kind }))
  const typed = (name: 'subject' | 'text') => ({
    value: choices[name],
    onChange: (event: { target: { value: string } }) => choose({ [name]: event.target.value }),
  })
  const choice = (audience: Order['to'], name: string) => ({
    value: audience,
    label: `${name}: ${audiences.data ? number(audiences.data[audience]) : pending}`,
  })
  const isReady =
    kind === 'version' ? state.canStartVersion : Boolean(subject.trim() && text.trim())
  const count = isReady && to ? audiences.data?.[to] : undefined
  return (
    <SimpleGrid>
      <div>
        <Section {...headOf({ kind, state })}>
          <Stack>
            <TextInput label="Subject" {...typed('subject')} />
            <Textarea {...fields[kind]} {...typed('text')} />
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
            <p className="soft">
              Those who signed up after the version came out are left out: they have it.
            </p>
          )}
        </Section>
        <Section heading="How fast">
          <NumberInput
            label="At most … an hour"
            min={1}
            max={most ?? 1_000_000}
            allowDecimal={false}
            placeholder={most === null ? 'no limit' : number(most)}
            value={mostPerHour ?? ''}
            onChange={(value) => choose({ mostPerHour: Number(value) || null })}
          />
          <p className="soft">{paceOf(mostPerHour, most, count)}</p>
        </Section>
        <Send order={{ kind, subject, text, to: to ?? 'consented', mostPerHour }} count={count}>
          {isReady
            ? 'Choose to whom first.'
            : 'This cannot be announced: it was, or it has no text yet.'}
        </Send>
      </div>
      <MailPreview draft={{ kind, subject, text }} />
    </SimpleGrid>
  )
}

/**
 * Choices outlive the view until more is announced. The server keeps the draft of a letter as well.
 */
function useChoices({ kind, state: { version, letter, all } }: ComposeProps) {
  const key = `${kind} ${version?.version} after ${all.filter((one) => one.kind === kind).length}`
  const words = kind === 'letter' ? letter : { subject: version?.subject ?? '', text: '' }
  // Only what was chosen in this tab is saved: another tab may have the other half of the letter.
  const [chosen, remember] = useRemembered<Partial<Choices>>(key, {})
  const save = useDebouncedCallback((changed: Partial<Choices>) => {
    api.announce.saveLetter.mutate(changed).catch((error: unknown) => tell(messageOf(error), true))
  }, saveAfterMs)
  const choose = (part: Partial<Choices>) => {
    const changed = { ...chosen, ...part }
    remember(changed)
    if (kind === 'letter') save(changed)
  }
  return [{ to: null, mostPerHour: null, ...words, ...chosen }, choose] as const
}

const fields = {
  version: {
    label: 'A word from you, if you like',
    placeholder: 'Two or three lines, above the notes',
  },
  letter: {
    label: 'Text',
    description:
      'Markdown: **bold**, [a link](https://example.com), - a list. An empty line parts paragraphs.',
    autosize: true,
    minRows: 10,
  },
}

function headOf({ kind, state: { version } }: ComposeProps) {
  if (kind === 'letter' || !version) {
    return { heading: 'Your letter', note: 'The draft is kept here until it is sent.' }
  }
  return {
    heading: `Version ${version.version}`,
    note: `Of ${dayName(version.date)}, from the release notes in content/releases.ts.`,
    rows: version.changes.map((change) => ({ words: change.replaceAll(/[`*]/g, '') })),
  }
}

function paceOf(
  mostPerHour: number | null,
  siteMailsPerHour: number | null,
  count: number | undefined,
) {
  const end = mostPerHour === null ? '' : `, up to ${number(mostPerHour)}`
  const pace =
    mostPerHour !== null && mostPerHour <= firstHourMails
      ? `At most ${number(mostPerHour)} an hour.`
      : `It begins with ${firstHourMails} in the first hour and doubles each hour${end}.`
  const limits = { perHour: null, mostPerHour, siteMailsPerHour: siteMailsPerHour ?? Infinity }
  const time = count ? `Takes about ${counted(hoursFor(count, limits), 'hour')}.` : ''
  return `${pace} Sign-up mail goes first. It pauses automatically above ${100 * returnedLimit} % returned, or at two complaints among 1,000. ${time}`
}

interface SendProps {
  order: Order
  /** How many people get it. Undefined while it cannot be sent; `children` say why. */
  count: number | undefined
  children: string
}

function Send({ order, count, children }: SendProps) {
  const people = counted(count ?? 0, 'person', 'people')
  return (
    <Section heading="Send">
      <Group gap="xs">
        <ActButton
          words={count === undefined ? 'Announce' : `Announce to ${people}`}
          variant="filled"
          disabled={!count}
          heading={`Send “${order.subject}” to ${people}?`}
          act={() => api.announce.start.mutate(order)}
          ask={order.to === 'everyone' ? law : 'The first mail goes a minute later.'}
        />
        <ActButton
          words="Send a test to me"
          act={() => api.announce.test.mutate(order)}
          done="A test is on its way to you."
        />
      </Group>
      <p className="soft">
        {count === undefined ? children : 'Then you have a minute to take it back.'}
      </p>
    </Section>
  )
}

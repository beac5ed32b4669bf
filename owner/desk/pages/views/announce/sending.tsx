import { Group, NumberInput, Radio, SimpleGrid, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { firstHourMails, hoursFor, returnedLimit } from '../../../../announcements/slow-start.ts'
import { ActButton } from '../../parts/acts.tsx'
import { type AnnounceState, api, type Draft, type Sent, trpc, useRemembered } from '../../api.ts'
import { counted, number } from '../../format.ts'
import { pending, Section } from '../../parts/parts.tsx'
import { MailPreview } from './mail-preview.tsx'

type Audience = Sent['announce']['start']['to']

const law =
  'They asked for a script, not for news. In the EU and the UK mail like this needs their consent, with few exceptions. Look up what holds for you first.'
const names: Record<Audience, string> = {
  consented: 'Those who asked for news',
  everyone: 'Everyone on the list',
}

interface SendingProps {
  draft: Draft
  state: AnnounceState
  canStart: boolean
  /** What is written. */
  children: ReactNode
}

/** What, to whom, how fast, and the button that starts it; beside them the mail. */
export function Sending({ draft, state, canStart, children }: SendingProps) {
  return (
    <SimpleGrid>
      <div>
        {children}
        <Choices draft={draft} state={state} canStart={canStart} />
      </div>
      <MailPreview draft={draft} />
    </SimpleGrid>
  )
}

function Choices({ draft, state: { siteMailsPerHour }, canStart }: Omit<SendingProps, 'children'>) {
  const [mostPerHour, setMostPerHour] = useState<number>()
  const [to, setTo] = useRemembered<Audience | null>('announce-to', null)
  const audiences = useQuery(trpc.announce.audiences.queryOptions({ kind: draft.kind }))
  const count = to ? audiences.data?.[to] : undefined
  const choice = (audience: Audience) => ({
    value: audience,
    label: `${names[audience]}: ${audiences.data ? number(audiences.data[audience]) : pending}`,
  })
  return (
    <>
      <Section heading="To whom" query={audiences}>
        {/* None is chosen at first. */}
        <Radio.Group aria-label="To whom" value={to} onChange={(value) => setTo(value)}>
          <Stack>
            <Radio {...choice('consented')} />
            <Radio {...choice('everyone')} description={law} />
          </Stack>
        </Radio.Group>
        {draft.kind === 'version' && (
          <p className="soft">Those who signed up after the version came out are left out: they have it.</p>
        )}
      </Section>
      <Section heading="How fast">
        <NumberInput
          label="At most … an hour"
          min={1}
          max={siteMailsPerHour ?? 1_000_000}
          allowDecimal={false}
          placeholder={siteMailsPerHour === null ? 'no limit' : number(siteMailsPerHour)}
          value={mostPerHour ?? ''}
          onChange={(value) => setMostPerHour(Number(value) || undefined)}
        />
        <p className="soft">
          {paceOf(mostPerHour)} Sign-up mail goes first. It pauses automatically above {100 * returnedLimit} %
          returned or 0.1 % complaints. {timeFor(count, mostPerHour, siteMailsPerHour)}
        </p>
      </Section>
      <Send order={{ ...draft, to: to ?? 'consented', mostPerHour }} count={canStart ? count : undefined}>
        {canStart ? 'Choose to whom first.' : 'This cannot be announced: it was, or it has no text yet.'}
      </Send>
    </>
  )
}

interface SendProps {
  order: Sent['announce']['start']
  /** Undefined: it cannot be sent yet, and `children` say why. */
  count: number | undefined
  children: string
}

function Send({ order, count, children }: SendProps) {
  const people = counted(count ?? 0, 'person', 'people')
  return (
    <Section heading="Send">
      <Group gap="xs">
        <ActButton
          variant="filled"
          disabled={!count}
          heading={`Send “${order.subject}” to ${people}?`}
          act={() => api.announce.start.mutate(order)}
          ask={order.to === 'everyone' ? law : 'The first mail goes a minute later.'}
        >
          {count === undefined ? 'Announce' : `Announce to ${people}`}
        </ActButton>
        <ActButton act={() => api.announce.test.mutate(order)} done="A test is on its way to you.">
          Send a test to me
        </ActButton>
      </Group>
      <p className="soft">
        {count === undefined
          ? children
          : 'Asks for a fresh code. The first mail goes a minute later: until then you can take it back.'}
      </p>
    </Section>
  )
}

function paceOf(most: number | undefined): string {
  if (most !== undefined && most <= firstHourMails) return `At most ${number(most)} an hour.`
  const end = most === undefined ? '' : `, up to ${number(most)}`
  return `It begins with ${firstHourMails} in the first hour and doubles each hour${end}.`
}

function timeFor(count: number | undefined, most: number | undefined, ofSite: number | null): string {
  const pace = { perHour: null, mostPerHour: most ?? null, siteMailsPerHour: ofSite ?? Infinity }
  return count ? `Takes about ${counted(hoursFor(count, pace), 'hour')}.` : ''
}

import { Group, NumberInput, Radio, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { firstHourMails, hoursFor } from '../../../../announcements/slow-start.ts'
import { ActButton, ActDialog, useNoWrites } from '../../acts.tsx'
import { api, type Sent, trpc, useRemembered } from '../../api.ts'
import { counted, number } from '../../format.ts'
import { pending, Section } from '../../parts.tsx'
import type { AnnounceState } from './announce.tsx'

export type Draft = Sent['announce']['preview']
type Audience = Sent['announce']['start']['to']

const law =
  'They asked for a script, not for news. In the EU and the UK mail like this needs their consent, with few exceptions. Look up what holds for you first.'
const names: Record<Audience, string> = {
  consented: 'Those who asked for news',
  everyone: 'Everyone on the list',
}
const startNote =
  'Asks for a fresh code. The first mail goes a minute later: until then you can take it back.'

interface SendingProps {
  draft: Draft
  state: AnnounceState
  canStart: boolean
}

/** To whom, how fast, and the button that starts it. */
export function Sending({ draft, state: { siteMailsPerHour }, canStart }: SendingProps) {
  /** None is chosen at first. */
  const [to, setTo] = useRemembered<Audience | undefined>('announce-to', undefined)
  const audiences = useQuery(trpc.announce.audiences.queryOptions({ kind: draft.kind }))
  const [mostPerHour, setMostPerHour] = useState<number | undefined>()
  const count = to && audiences.data?.[to]
  const pace = {
    perHour: null,
    mostPerHour: mostPerHour ?? null,
    siteMailsPerHour: siteMailsPerHour ?? Infinity,
  }
  const hours = count ? hoursFor(count, pace) : undefined
  const people = counted(count ?? 0, 'person', 'people')
  const noWrites = useNoWrites()
  const missing = reasonAgainst(canStart, count) ?? noWrites
  return (
    <>
      <Section heading="To whom" query={audiences}>
        <Radio.Group
          aria-label="To whom"
          value={to ?? null}
          onChange={(value) => setTo(value as Audience)} // one of the two below
        >
          <Stack className="fields">
            {(['consented', 'everyone'] as const).map((audience) => (
              <Group key={audience} justify="space-between" wrap="nowrap" align="start">
                <Radio
                  value={audience}
                  label={names[audience]}
                  {...(audience === 'everyone' && { description: law })}
                />
                <span className="note">{audiences.data ? number(audiences.data[audience]) : pending}</span>
              </Group>
            ))}
          </Stack>
        </Radio.Group>
        {draft.kind === 'version' && (
          <p className="soft">Those who signed up after the version came out are left out: they have it.</p>
        )}
      </Section>
      <Section heading="How fast">
        <div className="fields">
          <NumberInput
            label="At most … an hour"
            min={1}
            max={siteMailsPerHour ?? 1_000_000}
            allowDecimal={false}
            placeholder={siteMailsPerHour === null ? 'no limit' : number(siteMailsPerHour)}
            value={mostPerHour ?? ''}
            onChange={(value) => setMostPerHour(Number(value) || undefined)}
          />
        </div>
        <p className="soft">
          {paceOf(mostPerHour)} Sign-up mail goes first. It pauses automatically above 2 % returned or 0.1 %
          complaints. {hours !== undefined && `Takes about ${counted(hours, 'hour')}.`}
        </p>
      </Section>
      <Section heading="Send">
        <div className="actions">
          <ActDialog
            button={count === undefined ? 'Announce' : `Announce to ${people}`}
            buttonProps={{ variant: 'filled', disabled: missing !== undefined }}
            heading={`Send “${draft.subject}” to ${people}?`}
            isProofNeeded
            act={() => api.announce.start.mutate({ ...draft, to: to ?? 'consented', mostPerHour })}
          >
            <p>{to === 'everyone' ? law : 'The first mail goes a minute later.'}</p>
          </ActDialog>
          <ActButton act={() => api.announce.test.mutate(draft)} done="A test is on its way to you.">
            Send a test to me
          </ActButton>
        </div>
        <p className="soft">{missing ?? startNote}</p>
      </Section>
    </>
  )
}

function reasonAgainst(canStart: boolean, count: number | undefined): string | undefined {
  if (!canStart) return 'This cannot be announced: it was, or it has no text yet.'
  if (count === undefined) return 'Choose to whom first.'
  return count === 0 ? 'Nobody would get it.' : undefined
}

function paceOf(most: number | undefined): string {
  if (most !== undefined && most <= firstHourMails) return `At most ${number(most)} an hour.`
  const end = most === undefined ? '' : `, up to ${number(most)}`
  return `It begins with ${firstHourMails} in the first hour and doubles each hour${end}.`
}

import {
  Alert,
  Button,
  Group,
  MultiSelect,
  NumberInput,
  Radio,
  SimpleGrid,
  Stack,
  TextInput,
} from '@mantine/core'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTRPC } from '#owner/desk/views/api/trpc.ts'
import { useSettled } from '#owner/desk/views/api/use-settled.ts'
import { counted, formatDayAndTime, formatNumber } from '#owner/desk/views/format/format.ts'
import { BackLink } from '#owner/desk/views/navigation/back-link.tsx'
import { ActionButton } from '#owner/desk/views/parts/actions/action-button.tsx'
import { ConfirmButton } from '#owner/desk/views/parts/actions/confirm-button.tsx'
import { useFollowUp } from '#owner/desk/views/parts/actions/follow-up.ts'
import { LoadingRows } from '#owner/desk/views/parts/outline/rows.tsx'
import { Section } from '#owner/desk/views/parts/outline/section.tsx'
import { View } from '#owner/desk/views/parts/outline/view.tsx'
import { Soft } from '#owner/desk/views/parts/text.tsx'
import { campaignTitle } from '#owner/people/campaign-title.ts'
import { explainReason } from '#owner/mail/reasons.ts'
import { CopyLetter, LetterActions } from './letter-actions.tsx'
import { LetterFields } from './letter-fields.tsx'
import { underWayWords } from './under-way.tsx'
import { ShownMail } from './shown-mail.tsx'
import { type Letter, type OpenLetter, useLetter } from './use-letter.ts'

export const consentLaw =
  'They asked for a script, not for news. In the EU and the UK mail like this needs their consent, with few exceptions. Check the rules that apply to you first.'

const runningMs = 5_000

/** One letter: to be written, or how it goes or went. */
export function LetterView({ id }: { id: number }) {
  const trpc = useTRPC()
  const query = useQuery({
    ...trpc.mailings.one.queryOptions({ id }),
    refetchInterval: ({ state }) => (state.data?.state === 'sending' ? runningMs : false),
  })
  const back = <BackLink path="letters" name="Letters" />
  if (!query.data) {
    return (
      <View heading={query.isPending ? undefined : 'Letters'} back={back} query={query}>
        {query.isPending && <LoadingRows />}
      </View>
    )
  }
  const { state, afterDays } = query.data
  const isWritten = state === 'draft' || (afterDays !== null && state !== 'cancelled')
  return isWritten ? (
    <Writing key={id} kept={query.data} back={back} />
  ) : (
    <Sent letter={query.data} back={back} />
  )
}

interface WritingProps {
  kept: Letter
  back: ReactNode
}

function Writing({ kept, back }: WritingProps) {
  const open = useLetter(kept)
  const { letter, change, status, fault, conflict, settle } = open
  const isOfSeries = letter.afterDays !== null
  return (
    <View
      heading={letter.subject.trim() || (isOfSeries ? 'A letter of the series' : 'A letter')}
      back={back}
      note={<span role="status">{fault === undefined ? status : `${status}: ${fault}`}</span>}
      actions={<LetterActions letter={kept} />}
    >
      {conflict && <Conflict mine={letter} theirs={conflict} settle={settle} />}
      <SimpleGrid>
        <div>
          <Section heading="Your letter">
            <LetterFields letter={letter} onChange={change} />
          </Section>
          {isOfSeries ? <Days open={open} kept={kept} /> : <ToWhomAndWhen open={open} />}
          <Send open={open} />
        </div>
        <ShownMail heading="As it arrives" mail={kept.mail} />
      </SimpleGrid>
    </View>
  )
}

interface ConflictProps {
  mine: Letter
  theirs: Letter
  settle: OpenLetter['settle']
}

/** Both versions of what two devices changed. */
function Conflict({ mine, theirs, settle }: ConflictProps) {
  return (
    <Alert title="This letter was changed on another device">
      <Stack>
        {(['subject', 'preview', 'words'] as const)
          .filter((field) => mine[field] !== theirs[field])
          .map((field) => (
            <div key={field}>
              <Soft>Here: {mine[field]}</Soft>
              <Soft>There: {theirs[field]}</Soft>
            </div>
          ))}
        <Group>
          <Button onClick={() => settle('mine')}>Keep what I typed here</Button>
          <Button onClick={() => settle('theirs')}>Take the other</Button>
        </Group>
      </Stack>
    </Alert>
  )
}

interface OpenProps {
  open: OpenLetter
}

function Days({ open: { letter, change }, kept }: OpenProps & { kept: Letter }) {
  const trpc = useTRPC()
  const afterDays = useSettled(letter.afterDays ?? 1, { ms: 300 })
  const missing = useQuery({
    ...trpc.mailings.missing.queryOptions({ id: letter.id, afterDays }),
    enabled: afterDays !== kept.afterDays,
  })
  const count = missing.data ?? 0
  return (
    <Section heading="When">
      <NumberInput
        label="Days after they agreed to news"
        min={1}
        max={60}
        allowDecimal={false}
        value={letter.afterDays ?? 1}
        onChange={(value) => Number(value) >= 1 && change({ afterDays: Number(value) })}
      />
      {count > 0 && (
        <Soft mt="xs">
          {counted(count, 'person has', 'people have')} passed this day already, and would miss the
          letter.
        </Soft>
      )}
    </Section>
  )
}

function useAudience({ id, revision }: Letter) {
  const trpc = useTRPC()
  return useQuery({
    ...trpc.mailings.audience.queryOptions({ id, revision }),
    placeholderData: keepPreviousData,
  })
}

function ToWhomAndWhen({ open: { letter, change } }: OpenProps) {
  const trpc = useTRPC()
  const campaigns = useQuery(trpc.mailings.campaigns.queryOptions())
  const audience = useAudience(letter)
  const { agreed = 0, neverAsked = 0, haveTheOther = 0 } = audience.data?.people ?? {}
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone
  return (
    <>
      <Section heading="To whom" query={audience}>
        <Radio.Group
          aria-label="To whom"
          value={letter.to}
          onChange={(value) => change({ to: value === 'everyone' ? 'everyone' : 'consented' })}
        >
          <Stack>
            <Radio value="consented" label={`People who agreed to news: ${formatNumber(agreed)}`} />
            <Radio
              value="everyone"
              label={`Everyone on the list: ${formatNumber(agreed + neverAsked)}`}
              description={consentLaw}
            />
          </Stack>
        </Radio.Group>
        <MultiSelect
          mt="sm"
          label="Only people who came by"
          placeholder={letter.campaigns ? '' : 'All campaigns and imports'}
          searchable
          data={[...new Set(['none', ...(campaigns.data ?? []), ...(letter.campaigns ?? [])])].map(
            (value) => ({ value, label: campaignTitle(value) }),
          )}
          value={letter.campaigns ?? []}
          onChange={(chosen) => change({ campaigns: chosen.length > 0 ? chosen : null })}
        />
        {letter.version !== null && (
          <Soft mt="xs">People who signed up after the version came out have it already.</Soft>
        )}
        {letter.notMailing !== null && (
          <Soft mt="xs">
            {counted(haveTheOther, 'person has', 'people have')} had the first letter, and{' '}
            {haveTheOther === 1 ? 'is' : 'are'} left out.
          </Soft>
        )}
      </Section>
      <Section heading="When">
        <TextInput
          type="datetime-local"
          label="Send at"
          description={`In your time zone, ${zone}. Empty: a minute after you confirm. Until then you can take it back.`}
          value={letter.sendAt === null ? '' : localTime(letter.sendAt)}
          onChange={(event) => {
            const at = Date.parse(event.target.value)
            change({ sendAt: Number.isNaN(at) ? null : at })
          }}
        />
      </Section>
    </>
  )
}

/** As the browser's field writes a moment in the owner's zone. */
function localTime(at: number): string {
  const date = new Date(at)
  return new Date(at - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

function Send({ open: { letter, status } }: OpenProps) {
  const trpc = useTRPC()
  const followUp = useFollowUp()
  const { id, subject, sendAt, to, state, afterDays } = letter
  const refresh = [trpc.mailings.pathFilter(), trpc.today.state.queryFilter()]
  const audience = useAudience(letter)
  const send = useMutation(trpc.mailings.send.mutationOptions(followUp({ refresh })))
  const test = useMutation(
    trpc.mailings.test.mutationOptions(
      followUp({ refresh: [], done: 'A test is on its way to you.' }),
    ),
  )
  const people = audience.data?.recipients
  const words = counted(people ?? 0, 'person', 'people')
  const begins = sendAt === null ? 'in a minute' : formatDayAndTime(sendAt)
  const isSaved = status === 'Saved'
  return (
    <Section heading={afterDays === null ? 'Send' : 'Test'}>
      <Group gap="xs">
        {afterDays === null && (
          <ConfirmButton
            words={people ? `Send to ${words}` : 'Send'}
            variant="filled"
            disabled={!isSaved || !people}
            heading={`Send “${subject}” to ${words}?`}
            mutation={send}
            input={{ id }}
          >
            {to === 'everyone' ? consentLaw : `The first mail goes ${begins}.`}
          </ConfirmButton>
        )}
        {afterDays !== null && state !== 'sending' && (
          <ActionButton variant="filled" mutation={send} input={{ id }} disabled={!isSaved}>
            Switch on
          </ActionButton>
        )}
        <ActionButton mutation={test} input={{ id }} disabled={!isSaved}>
          Send a test to me
        </ActionButton>
      </Group>
      {afterDays === null && (
        <Soft mt="xs">
          {people
            ? `The first mail goes ${begins}. Until then you can take it back.`
            : 'Nobody would get it yet.'}
        </Soft>
      )}
    </Section>
  )
}

function Sent({ letter, back }: { letter: Letter; back: ReactNode }) {
  const { id, title, state, mail, sample, faults } = letter
  const heading = state === 'done' ? `“${title}” was sent.` : `“${title}” ${stateOf(letter)}.`
  return (
    <View
      heading={heading}
      back={back}
      actions={
        <>
          <LetterActions letter={letter} />
          <CopyLetter id={id}>Write another like it</CopyLetter>
          {state === 'done' && (
            <CopyLetter id={id} forOthers>
              Send to those who have not had it
            </CopyLetter>
          )}
        </>
      }
    >
      <SimpleGrid>
        <div>
          <Figures letter={letter} />
          <Section
            heading={`${counted(sample.returned, 'mail')} of the last ${formatNumber(sample.mails)} came back`}
            note="Above 2 % it pauses automatically: mail servers would soon refuse all your mail."
            isKept={sample.mails > 0}
            rows={faults.map(({ fault, count }) => ({
              words: explainReason(fault ?? '', true).words,
              note: fault,
              axis: formatNumber(count),
            }))}
          />
        </div>
        <ShownMail heading="As it arrives" mail={mail} />
      </SimpleGrid>
    </View>
  )
}

function stateOf(letter: Letter): string {
  return letter.state === 'cancelled' ? 'was cancelled' : underWayWords(letter)
}

function Figures({ letter: { toSend, sent, failed, left, to, campaigns } }: { letter: Letter }) {
  const audience = to === 'consented' ? 'To people who agreed to news' : 'To everyone on the list'
  return (
    <Section
      heading="Figures"
      note={
        campaigns
          ? `${audience} who came by ${campaigns.map(campaignTitle).join(', ')}.`
          : `${audience}.`
      }
      rows={[
        { words: 'To send', axis: formatNumber(toSend) },
        { words: 'Sent', axis: formatNumber(sent) },
        { words: 'Failed', axis: formatNumber(failed) },
        { words: 'Left within a day', axis: formatNumber(left) },
      ]}
    />
  )
}

import { SimpleGrid } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { returnedLimit } from '../../../../announcements/pace/slow-start.ts'
import { explainReason } from '../../../../deliveries/reasons.ts'
import { useFollowUp } from '../../parts/actions/follow-up.ts'
import { type RouterOutputs, useTRPC } from '../../api/trpc.ts'
import { counted, formatDayAndTime, formatNumber, formatShare } from '../../format/format.ts'
import { ActionButton } from '../../parts/actions/action-button.tsx'
import { ConfirmButton } from '../../parts/actions/confirm-button.tsx'
import { Section } from '../../parts/outline/section.tsx'
import { View } from '../../parts/outline/view.tsx'

export type Announcement = RouterOutputs['announce']['show']['all'][number]
type UnderWay = NonNullable<RouterOutputs['announce']['show']['underWay']>

export const stateWords: Record<Announcement['state'], string> = {
  starting: 'starts within a minute',
  running: 'is going out',
  paused: 'is paused',
  'paused-automatically': 'has paused automatically',
  cancelled: 'was cancelled for good',
  done: 'is done',
}
const limit = `${100 * returnedLimit} %`

interface WatchAnnouncementProps {
  underWay: UnderWay
  children: ReactNode
}

/** One announcement: how it goes, and what came back. */
export function WatchAnnouncement({ underWay, children }: WatchAnnouncementProps) {
  const { title, state, sent, waiting, failed, cancelled, recipients, hourly } = underWay
  return (
    <View
      heading={`${title} ${stateWords[state]}.`}
      note={describeProgress(underWay)}
      actions={<Actions underWay={underWay} />}
    >
      <SimpleGrid>
        <div>
          <Section
            heading="The figures"
            rows={[
              { words: 'Sent', axis: formatNumber(sent) },
              { words: 'Waiting', axis: formatNumber(waiting) },
              { words: 'Failed', axis: formatNumber(failed) },
              { words: 'Left since', axis: formatNumber(cancelled) },
              { words: <strong>Audience</strong>, axis: formatNumber(recipients) },
            ]}
          />
          <Hours hours={hourly.hours} />
        </div>
        {hourly.sample.mails > 0 && (
          <Section
            heading={describeReturned(underWay)}
            note={`It pauses automatically above ${limit}.`}
            rows={hourly.faults.map(({ fault, count }) => ({
              words: explainReason(fault ?? '', true).words,
              note: fault,
              axis: formatNumber(count),
            }))}
          >
            {' '}
          </Section>
        )}
      </SimpleGrid>
      {children}
    </View>
  )
}

function Hours({ hours }: Pick<UnderWay['hourly'], 'hours'>) {
  const most = Math.max(1, ...hours.map(({ admitted }) => admitted))
  return (
    <Section
      heading="Hour by hour"
      note="Sent, of what was allowed."
      rows={hours.map((hour) => ({
        words: formatDayAndTime(hour.at),
        note: `of ${formatNumber(hour.admitted)}`,
        share: hour.sent / most,
        axis: formatNumber(hour.sent),
      }))}
    />
  )
}

function describeProgress(underWay: UnderWay): string {
  const { state, sent, recipients, startsAt, endsAt } = underWay
  if (state === 'starting') {
    const people = counted(recipients, 'person gets', 'people get')
    const change = sent > 0 ? 'cancel the rest' : 'take it back'
    return `${people} it from ${formatDayAndTime(startsAt)} on. Until then you can ${change}, here or with the command announce cancel.`
  }
  if (state === 'paused-automatically') {
    return `${describeReturned(underWay)}; the limit is ${limit}. Going on now can land all your mail in spam. Sign-up mail still goes out.`
  }
  const progress = `${formatNumber(sent)} of ${formatNumber(recipients)} sent.`
  if (endsAt === null) return progress
  return `${progress} Done at about ${formatDayAndTime(endsAt)}. Sign-up mail goes first.`
}

function describeReturned({ hourly: { sample } }: UnderWay): string {
  return `${formatShare(sample.returned, sample.mails, 1)} of the last ${counted(sample.mails, 'mail')} came back`
}

function Actions({ underWay: { name, title, state, sent } }: { underWay: UnderWay }) {
  if (state === 'starting' && sent === 0) return <TakeBack name={name} />
  return (
    <>
      {state === 'running' || state === 'starting' ? (
        <Pause name={name} />
      ) : (
        <Resume name={name} words={state === 'paused' ? 'Go on' : 'Go on, slowly'} />
      )}
      <CancelRest name={name} title={title} />
    </>
  )
}

function useRefresh() {
  const trpc = useTRPC()
  return [trpc.announce.pathFilter(), trpc.today.state.queryFilter()]
}

function TakeBack({ name }: { name: string }) {
  const trpc = useTRPC()
  const followUp = useFollowUp()
  const refresh = useRefresh()
  const cancel = useMutation(
    trpc.announce.cancel.mutationOptions(followUp({ refresh, done: 'Taken back. Nobody got it.' })),
  )
  return (
    <ActionButton variant="filled" mutation={cancel} input={{ name }}>
      Take it back
    </ActionButton>
  )
}

function Pause({ name }: { name: string }) {
  const trpc = useTRPC()
  const followUp = useFollowUp()
  const refresh = useRefresh()
  const pause = useMutation(trpc.announce.pause.mutationOptions(followUp({ refresh })))
  return (
    <ActionButton variant="filled" mutation={pause} input={{ name }}>
      Pause
    </ActionButton>
  )
}

function Resume({ name, words }: { name: string; words: string }) {
  const trpc = useTRPC()
  const followUp = useFollowUp()
  const refresh = useRefresh()
  const resume = useMutation(trpc.announce.resume.mutationOptions(followUp({ refresh })))
  return (
    <ConfirmButton words={words} variant="filled" mutation={resume} input={{ name }}>
      It begins again with 100 an hour, without those whose mail came back.
    </ConfirmButton>
  )
}

function CancelRest({ name, title }: { name: string; title: string }) {
  const trpc = useTRPC()
  const followUp = useFollowUp()
  const refresh = useRefresh()
  const cancel = useMutation(trpc.announce.cancel.mutationOptions(followUp({ refresh })))
  return (
    <ConfirmButton
      words="Cancel the rest"
      heading={`Cancel the rest of ${title}?`}
      mutation={cancel}
      input={{ name }}
    >
      Those who have not got it yet get no mail, and it cannot be resumed. What was sent stays sent.
    </ConfirmButton>
  )
}

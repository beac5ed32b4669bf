import { SimpleGrid } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { announcementStateWords, isUnderWay } from '../announcement-words.ts'
import { returnedLimit } from '../pace/slow-start.ts'
import { explainReason } from '#owner/mail/reasons.ts'
import { type RouterOutputs, useTRPC } from '#owner/desk/views/api/trpc.ts'
import {
  counted,
  formatDayAndTime,
  formatNumber,
  formatShare,
} from '#owner/desk/views/format/format.ts'
import { BackLink } from '#owner/desk/views/navigation/back-link.tsx'
import { go } from '#owner/desk/views/navigation/location.ts'
import { ActionButton } from '#owner/desk/views/parts/actions/action-button.tsx'
import { useFollowUp } from '#owner/desk/views/parts/actions/follow-up.ts'
import { LoadingRows } from '#owner/desk/views/parts/outline/rows.tsx'
import { Section } from '#owner/desk/views/parts/outline/section.tsx'
import { View } from '#owner/desk/views/parts/outline/view.tsx'
import { AnnouncementActions } from './announcement-actions.tsx'
import { ShownMail } from './shown-mail.tsx'

type OneAnnouncement = RouterOutputs['announce']['one']

const limit = `${100 * returnedLimit} %`
const runningMs = 5_000

/** One announcement: how it goes or went, what came back, and the mail as it arrived. */
export function AnnouncementView({ name }: { name: string }) {
  const trpc = useTRPC()
  const query = useQuery({
    ...trpc.announce.one.queryOptions({ name }),
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data) ? runningMs : false),
    refetchOnWindowFocus: ({ state }) => Boolean(state.data && isUnderWay(state.data)),
  })
  const back = <BackLink path="announce" name="Announce" />
  if (!query.data) {
    return (
      <View heading={query.isPending ? undefined : 'Announce'} back={back} query={query}>
        {query.isPending && <LoadingRows />}
      </View>
    )
  }
  return <Shown announcement={query.data} back={back} />
}

interface ShownProps {
  announcement: OneAnnouncement
  back: React.ReactNode
}

function Shown({ announcement, back }: ShownProps) {
  const { title, state, hourly, mail } = announcement
  return (
    <View
      heading={`${title} ${announcementStateWords[state]}.`}
      back={back}
      note={describeProgress(announcement)}
      actions={
        <>
          <AnnouncementActions announcement={announcement} />
          <WriteAnother announcement={announcement} />
        </>
      }
    >
      <SimpleGrid>
        <div>
          <Figures announcement={announcement} />
          {hourly.sample.mails > 0 && <Returned announcement={announcement} />}
          <Hours hours={hourly.hours} />
        </div>
        <ShownMail heading="As it arrives" mail={mail} />
      </SimpleGrid>
    </View>
  )
}

function Figures({ announcement }: { announcement: OneAnnouncement }) {
  const { sent, waiting, failed, cancelled, recipients } = announcement
  return (
    <Section
      heading="The figures"
      note={describeAudience(announcement)}
      rows={[
        { words: 'Sent', axis: formatNumber(sent) },
        { words: 'Waiting', axis: formatNumber(waiting) },
        { words: 'Failed', axis: formatNumber(failed) },
        { words: 'Left since', axis: formatNumber(cancelled) },
        { words: <strong>Audience</strong>, axis: formatNumber(recipients) },
      ]}
    />
  )
}

function describeAudience({ to, campaigns }: OneAnnouncement): string {
  const audience = to === 'consented' ? 'To those who asked for news' : 'To everyone on the list'
  return campaigns ? `${audience} who came by ${campaigns.join(', ')}.` : `${audience}.`
}

function Returned({ announcement }: { announcement: OneAnnouncement }) {
  return (
    <Section
      heading={describeReturned(announcement)}
      note={`It pauses automatically above ${limit}.`}
      isKept
      rows={announcement.hourly.faults.map(({ fault, count }) => ({
        words: explainReason(fault ?? '', true).words,
        note: fault,
        axis: formatNumber(count),
      }))}
    />
  )
}

function Hours({ hours }: Pick<OneAnnouncement['hourly'], 'hours'>) {
  const most = Math.max(1, ...hours.map(({ admitted }) => admitted))
  return (
    <Section
      heading="Hour by hour"
      note="Sent, out of what was allowed."
      rows={hours.map((hour) => ({
        words: formatDayAndTime(hour.at),
        note: `of ${formatNumber(hour.admitted)}`,
        share: hour.sent / most,
        axis: formatNumber(hour.sent),
      }))}
    />
  )
}

function describeProgress(announcement: OneAnnouncement): string {
  const { state, sent, recipients, startsAt, endsAt } = announcement
  if (state === 'starting') {
    const people = counted(recipients, 'person gets', 'people get')
    const change = sent > 0 ? 'cancel the rest' : 'take it back'
    return `${people} it from ${formatDayAndTime(startsAt)} on. Until then you can ${change}.`
  }
  if (state === 'paused-automatically') {
    return `${describeReturned(announcement)}; the limit is ${limit}. Going on now can land all your mail in spam. Sign-up mail still goes out.`
  }
  const progress = `${formatNumber(sent)} of ${formatNumber(recipients)} sent.`
  if (endsAt === null) return progress
  return `${progress} Done at about ${formatDayAndTime(endsAt)}. Sign-up mail goes first.`
}

function describeReturned({ hourly: { sample } }: OneAnnouncement): string {
  return `${formatShare(sample.returned, sample.mails, 1)} of the last ${counted(sample.mails, 'mail')} came back`
}

/** A letter's words become a new draft. */
function WriteAnother({ announcement }: { announcement: OneAnnouncement }) {
  const trpc = useTRPC()
  const followUp = useFollowUp()
  const { kind, subject, preview, words } = announcement
  const add = useMutation(
    trpc.letters.add.mutationOptions({
      ...followUp({ refresh: [trpc.letters.drafts.queryFilter()] }),
      onSuccess: () => go('announce', { state: { kind: 'letter' } }),
    }),
  )
  if (kind !== 'letter' || words === null) return null
  return (
    <ActionButton mutation={add} input={{ subject, preview, text: words }}>
      Write another like it
    </ActionButton>
  )
}

import { SimpleGrid } from '@mantine/core'
import type { ReactNode } from 'react'
import { returnedLimit } from '../../../../announcements/slow-start.ts'
import { explainReason } from '../../../../deliveries/reasons.ts'
import { ActButton } from '../../parts/acts.tsx'
import { type Announcement, type AnnounceState, api } from '../../api.ts'
import { counted, number, share, timeOf } from '../../format.ts'
import { Section, View } from '../../parts/parts.tsx'

const headings: Record<Announcement['state'], string> = {
  starting: 'starts within a minute.',
  running: 'is going out.',
  paused: 'is paused.',
  'paused-automatically': 'has paused automatically.',
  cancelled: 'was cancelled.',
  done: 'is out.',
}

type Course = NonNullable<AnnounceState['course']>

interface Props {
  announcement: Announcement
  course: AnnounceState['course']
  children: ReactNode
}

/** One announcement: how it goes, and what came back. */
export function WatchAnnouncement({ announcement, course, children }: Props) {
  const { title, state, sent, waiting, failed, cancelled, recipients } = announcement
  return (
    <View
      heading={`${title} ${headings[state]}`}
      sentence={sentenceFor(announcement, course)}
      actions={<Acts announcement={announcement} />}
    >
      <SimpleGrid>
        <div>
          <Section
            heading="The figures"
            rows={[
              { words: 'Sent', axis: number(sent) },
              { words: 'Waiting', axis: number(waiting) },
              { words: 'Failed', axis: number(failed) },
              { words: 'Left since', axis: number(cancelled) },
              { words: <strong>Audience</strong>, axis: number(recipients) },
            ]}
          />
          {course && course.hours.length > 0 && <HourByHour hours={course.hours} />}
        </div>
        {course && course.sample.mails > 0 && (
          <Section
            heading={cameBack(course)}
            note={`It pauses automatically above ${percent(returnedLimit)}.`}
            rows={course.faults.map(({ fault, count }) => ({
              words: explainReason(fault, true).words,
              note: fault,
              axis: number(count),
            }))}
          />
        )}
      </SimpleGrid>
      {children}
    </View>
  )
}

function HourByHour({ hours }: Pick<Course, 'hours'>) {
  const most = Math.max(1, ...hours.map(({ admitted }) => admitted))
  return (
    <Section
      heading="Hour by hour"
      note="Sent, of what was allowed."
      rows={hours.map(({ at, sent, admitted }) => ({
        words: timeOf(at),
        note: `of ${number(admitted)}`,
        share: sent / most,
        axis: number(sent),
      }))}
    />
  )
}

function sentenceFor(announcement: Announcement, course: Course | undefined): string {
  const { state, sent, recipients, startsAt, endsAt } = announcement
  if (state === 'starting')
    return `${counted(recipients, 'person gets', 'people get')} it from ${timeOf(startsAt)} on. Until then you can ${sent > 0 ? 'cancel the rest' : 'take it back'}, here or with the command announce cancel.`
  if (state === 'paused-automatically' && course)
    return `${cameBack(course)}; the limit is ${percent(returnedLimit)}. Going on now can land all your mail in spam. Sign-up mail still goes out.`
  const progress = `${number(sent)} of ${number(recipients)} sent.`
  if (state !== 'running') return progress
  const end = endsAt === null ? '' : ` Done at about ${timeOf(endsAt)}.`
  return `${progress}${end} Sign-up mail goes first.`
}

function cameBack({ sample: { mails, returned } }: Course): string {
  return `${share(returned, mails, 1)} of the last ${counted(mails, 'mail')} came back`
}

function percent(part: number): string {
  return `${Number((100 * part).toFixed(1))} %`
}

function Acts({ announcement: { name, title, state, sent } }: Pick<Props, 'announcement'>) {
  const cancel = () => api.announce.cancel.mutate({ name })
  if (state === 'starting' && sent === 0)
    return (
      <ActButton variant="filled" act={cancel} done="Taken back. Nobody got it.">
        Take it back
      </ActButton>
    )
  return (
    <>
      {state === 'running' || state === 'starting' ? (
        <ActButton variant="filled" act={() => api.announce.pause.mutate({ name })}>
          Pause
        </ActButton>
      ) : (
        <ActButton
          variant="filled"
          act={() => api.announce.resume.mutate({ name })}
          ask="It begins again with 100 an hour, without those whose mail came back."
        >
          {state === 'paused' ? 'Go on' : 'Go on, slowly'}
        </ActButton>
      )}
      <ActButton
        heading={`Cancel the rest of ${title}?`}
        act={cancel}
        ask="Those who have not got it yet get no mail, and it cannot be resumed. What was sent stays sent."
      >
        Cancel the rest
      </ActButton>
    </>
  )
}

import type { ReactNode } from 'react'
import { ActButton, ActDialog } from '../../acts.tsx'
import { api } from '../../api.ts'
import { counted, number, share, timeOf } from '../../format.ts'
import { askedAgain, Section, View } from '../../parts.tsx'
import type { AnnounceState, Announcement } from './announce.tsx'

const headings: Record<Announcement['state'], string> = {
  starting: 'starts within a minute.',
  running: 'is going out.',
  paused: 'is paused.',
  'paused-automatically': 'has paused automatically.',
  cancelled: 'was cancelled.',
  done: 'is out.',
}

interface Props {
  announcement: Announcement
  course: AnnounceState['course']
}

/** One announcement: how it goes, and what came back. */
export function WatchAnnouncement({ announcement, course, children }: Props & { children: ReactNode }) {
  const { title, state, sent, waiting, failed, leftSince, audience } = announcement
  const hours = course?.hours ?? []
  const mostAnHour = Math.max(1, ...hours.map(({ admitted }) => admitted))
  return (
    <View
      heading={`${title} ${headings[state]}`}
      sentence={sentenceFor(announcement, course)}
      actions={<Acts announcement={announcement} />}
      foot={askedAgain}
    >
      <div className="halves halves-5-7">
        <div>
          <Section
            heading="The figures"
            rows={[
              { words: 'Sent', axis: number(sent) },
              { words: 'Waiting', axis: number(waiting) },
              { words: 'Failed', axis: number(failed) },
              { words: 'Left since', axis: number(leftSince) },
              { words: <strong>Audience</strong>, axis: <strong>{number(audience)}</strong> },
            ]}
          />
          {hours.length > 0 && (
            <Section
              heading="Hour by hour"
              note="Sent, of what was allowed."
              rows={hours.map((hour) => ({
                words: timeOf(hour.at),
                note: `of ${number(hour.admitted)}`,
                share: hour.sent / mostAnHour,
                axis: number(hour.sent),
              }))}
            />
          )}
        </div>
        {course && <Returned {...course} />}
      </div>
      {children}
    </View>
  )
}

function sentenceFor(announcement: Announcement, course: Props['course']): string {
  const { state, sent, audience, startsAt, endsAt } = announcement
  if (state === 'starting')
    return `${counted(audience, 'person gets', 'people get')} it from ${timeOf(startsAt)} on. Until then you can take it back, here or with the command announce cancel.`
  if (state === 'paused-automatically' && course)
    return `${cameBack(course)}; the limit is ${percent(course.returnedLimit)}. Going on now can land all your mail in spam. Sign-up mail still goes out.`
  const progress = `${number(sent)} of ${number(audience)} sent.`
  if (state !== 'running') return progress
  const end = endsAt === null ? '' : ` Done at about ${timeOf(endsAt)}.`
  return `${progress}${end} Sign-up mail goes first.`
}

function cameBack({ sample: { mails, returned } }: NonNullable<Props['course']>): string {
  return `${share(returned, mails, 1)} of the last ${counted(mails, 'mail')} came back`
}

function percent(part: number): string {
  return `${Number((100 * part).toFixed(1))} %`
}

function Acts({ announcement: { name, title, state } }: Pick<Props, 'announcement'>) {
  const cancel = () => api.announce.cancel.mutate({ name })
  const cancelTheRest = (
    <ActDialog button="Cancel the rest" heading={`Cancel the rest of ${title}?`} act={cancel}>
      <p>Those who have not got it yet get no mail, and it cannot be resumed. What was sent stays sent.</p>
    </ActDialog>
  )
  switch (state) {
    case 'starting':
      return (
        <ActButton variant="filled" act={cancel} done="Taken back. Nobody got it.">
          Take it back
        </ActButton>
      )
    case 'running':
      return (
        <>
          <ActButton variant="filled" act={() => api.announce.pause.mutate({ name })}>
            Pause
          </ActButton>
          {cancelTheRest}
        </>
      )
    case 'paused':
    case 'paused-automatically':
      return (
        <>
          <ActDialog
            button={state === 'paused' ? 'Go on' : 'Go on, slowly'}
            buttonProps={{ variant: 'filled' }}
            isProofNeeded
            act={() => api.announce.resume.mutate({ name })}
          >
            <p>It begins again with 100 an hour, without those whose mail came back.</p>
          </ActDialog>
          {cancelTheRest}
        </>
      )
    case 'done':
    case 'cancelled':
      return null
  }
}

function Returned(course: NonNullable<Props['course']>) {
  const { sample, returnedLimit, reasons } = course
  if (sample.mails === 0) return null
  return (
    <Section
      heading={cameBack(course)}
      note={`It pauses automatically above ${percent(returnedLimit)}.`}
      rows={reasons.map(({ reason, count }) => ({
        words: reason.words,
        note: reason.code,
        axis: number(count),
      }))}
    />
  )
}

import { SimpleGrid } from '@mantine/core'
import type { ReactNode } from 'react'
import { returnedLimit } from '../../../../announcements/slow-start.ts'
import { explainReason } from '../../../../deliveries/reasons.ts'
import { ActButton } from '../../parts/acts.tsx'
import { type Announcement, type AnnounceState, api } from '../../api.ts'
import { counted, number, share, timeOf } from '../../format.ts'
import { Rows, Section, View } from '../../parts/parts.tsx'

export const stateWords: Record<Announcement['state'], string> = {
  starting: 'starts within a minute',
  running: 'is going out',
  paused: 'is paused',
  'paused-automatically': 'has paused automatically',
  cancelled: 'cancelled for good',
  done: 'done',
}
const limit = `${100 * returnedLimit} %`

type UnderWay = NonNullable<AnnounceState['underWay']>

/** One announcement: how it goes, and what came back. */
export function WatchAnnouncement({ underWay, children }: { underWay: UnderWay; children: ReactNode }) {
  const { title, state, sent, waiting, failed, cancelled, recipients } = underWay
  const { hours, sample, faults } = underWay.course
  const most = Math.max(1, ...hours.map(({ admitted }) => admitted))
  return (
    <View
      heading={`${title} ${stateWords[state]}.`}
      sentence={sentenceFor(underWay)}
      actions={<Acts underWay={underWay} />}
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
          <Section
            heading="Hour by hour"
            note="Sent, of what was allowed."
            rows={hours.map((hour) => ({
              words: timeOf(hour.at),
              note: `of ${number(hour.admitted)}`,
              share: hour.sent / most,
              axis: number(hour.sent),
            }))}
          />
        </div>
        {sample.mails > 0 && (
          <Section heading={cameBack(underWay)} note={`It pauses automatically above ${limit}.`}>
            <Rows
              rows={faults.map(({ fault, count }) => ({
                words: explainReason(fault, true).words,
                note: fault,
                axis: number(count),
              }))}
            />
          </Section>
        )}
      </SimpleGrid>
      {children}
    </View>
  )
}

function sentenceFor(underWay: UnderWay): string {
  const { state, sent, recipients, startsAt, endsAt } = underWay
  if (state === 'starting')
    return `${counted(recipients, 'person gets', 'people get')} it from ${timeOf(startsAt)} on. Until then you can ${sent > 0 ? 'cancel the rest' : 'take it back'}, here or with the command announce cancel.`
  if (state === 'paused-automatically')
    return `${cameBack(underWay)}; the limit is ${limit}. Going on now can land all your mail in spam. Sign-up mail still goes out.`
  const progress = `${number(sent)} of ${number(recipients)} sent.`
  return endsAt === null ? progress : `${progress} Done at about ${timeOf(endsAt)}. Sign-up mail goes first.`
}

function cameBack({ course: { sample } }: UnderWay): string {
  return `${share(sample.returned, sample.mails, 1)} of the last ${counted(sample.mails, 'mail')} came back`
}

function Acts({ underWay: { name, title, state, sent } }: { underWay: UnderWay }) {
  const cancel = () => api.announce.cancel.mutate({ name })
  if (state === 'starting' && sent === 0)
    return <ActButton words="Take it back" variant="filled" act={cancel} done="Taken back. Nobody got it." />
  return (
    <>
      {state === 'running' || state === 'starting' ? (
        <ActButton words="Pause" variant="filled" act={() => api.announce.pause.mutate({ name })} />
      ) : (
        <ActButton
          words={state === 'paused' ? 'Go on' : 'Go on, slowly'}
          variant="filled"
          act={() => api.announce.resume.mutate({ name })}
          ask="It begins again with 100 an hour, without those whose mail came back."
        />
      )}
      <ActButton
        words="Cancel the rest"
        heading={`Cancel the rest of ${title}?`}
        act={cancel}
        ask="Those who have not got it yet get no mail, and it cannot be resumed. What was sent stays sent."
      />
    </>
  )
}

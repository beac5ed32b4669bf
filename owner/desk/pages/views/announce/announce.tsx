import { SegmentedControl, SimpleGrid } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { returnedLimit } from '../../../../announcements/slow-start.ts'
import { explainReason } from '../../../../deliveries/reasons.ts'
import { ActButton } from '../../parts/acts.tsx'
import { type Announcement, type AnnounceState, api, trpc, useRemembered } from '../../api.ts'
import { counted, dayOf, number, share, timeOf } from '../../format.ts'
import { pending, Rows, Section, View } from '../../parts/parts.tsx'
import { Compose } from './compose.tsx'

const kinds = [
  { value: 'version' as const, label: 'A new version' },
  { value: 'letter' as const, label: 'A letter' },
]

const stateWords: Record<Announcement['state'], string> = {
  starting: 'starts within a minute',
  running: 'is going out',
  paused: 'is paused',
  'paused-automatically': 'has paused automatically',
  cancelled: 'was cancelled for good',
  done: 'is done',
}
const limit = `${100 * returnedLimit} %`

type UnderWay = NonNullable<AnnounceState['underWay']>

/** A mail to many: it is composed, or watched while it goes out. */
export function Announce() {
  const [kind, setKind] = useRemembered<'version' | 'letter'>('announce-kind', 'version')
  const query = useQuery({
    ...trpc.announce.show.queryOptions(),
    refetchInterval: ({ state }) => (state.data?.underWay ? 5_000 : 10_000),
  })
  if (!query.data) return <View heading={pending} query={query} />
  const { all, underWay, version } = query.data
  const before = (
    <Section
      heading="Announced before"
      rows={all
        .filter(({ name }) => name !== underWay?.name)
        .map(({ title, startsAt, state, sent, recipients }) => ({
          words: title,
          note: `${stateWords[state]} · ${number(sent)} of ${number(recipients)} sent`,
          axis: dayOf(startsAt),
        }))}
    />
  )
  if (underWay) return <WatchAnnouncement underWay={underWay}>{before}</WatchAnnouncement>
  return (
    <View
      heading="Announce"
      note={sentenceFor(version, all.find(({ name }) => name === version?.version) ?? all[0])}
      actions={
        <SegmentedControl
          aria-label="What to announce"
          value={kind}
          data={kinds}
          onChange={setKind}
        />
      }
      query={query}
    >
      {kind === 'version' && !version ? (
        <Section
          heading="No release notes"
          note="Write those of the kit’s version in content/releases.ts, then restart."
        />
      ) : (
        <Compose key={kind} kind={kind} state={query.data} />
      )}
      {before}
    </View>
  )
}

function sentenceFor(kit: AnnounceState['version'], last: Announcement | undefined): string {
  const version = kit ? `The kit has version ${kit.version}.` : ''
  if (!last) return `${version} Nothing has been announced yet.`
  return `${version} ${last.title} ${stateWords[last.state]}. It reached ${number(last.sent)} on ${dayOf(last.startsAt)}.`
}

/** One announcement: how it goes, and what came back. */
function WatchAnnouncement({ underWay, children }: { underWay: UnderWay; children: ReactNode }) {
  const { title, state, sent, waiting, failed, cancelled, recipients } = underWay
  const { hours, sample, faults } = underWay.course
  const most = Math.max(1, ...hours.map(({ admitted }) => admitted))
  return (
    <View
      heading={`${title} ${stateWords[state]}.`}
      note={progressOf(underWay)}
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
                words: explainReason(fault ?? '', true).words,
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

function progressOf(underWay: UnderWay): string {
  const { state, sent, recipients, startsAt, endsAt } = underWay
  if (state === 'starting') {
    return `${counted(recipients, 'person gets', 'people get')} it from ${timeOf(startsAt)} on. Until then you can ${sent > 0 ? 'cancel the rest' : 'take it back'}, here or with the command announce cancel.`
  }
  if (state === 'paused-automatically') {
    return `${cameBack(underWay)}; the limit is ${limit}. Going on now can land all your mail in spam. Sign-up mail still goes out.`
  }
  const progress = `${number(sent)} of ${number(recipients)} sent.`
  return endsAt === null
    ? progress
    : `${progress} Done at about ${timeOf(endsAt)}. Sign-up mail goes first.`
}

function cameBack({ course: { sample } }: UnderWay): string {
  return `${share(sample.returned, sample.mails, 1)} of the last ${counted(sample.mails, 'mail')} came back`
}

function Acts({ underWay: { name, title, state, sent } }: { underWay: UnderWay }) {
  const cancel = () => api.announce.cancel.mutate({ name })
  if (state === 'starting' && sent === 0) {
    return (
      <ActButton
        words="Take it back"
        variant="filled"
        act={cancel}
        done="Taken back. Nobody got it."
      />
    )
  }
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

import { SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type Announcement, type AnnounceState, trpc, useRemembered } from '../../api.ts'
import { dayOf, number } from '../../format.ts'
import { pending, Section, View } from '../../parts/parts.tsx'
import { ComposeLetter } from './compose-letter.tsx'
import { ComposeVersion } from './compose-version.tsx'
import { WatchAnnouncement } from './watch-announcement.tsx'

const kinds = [
  { value: 'version' as const, label: 'A new version' },
  { value: 'letter' as const, label: 'A letter' },
]
const states: Record<Announcement['state'], string> = {
  starting: 'starts within a minute',
  running: 'under way',
  paused: 'paused',
  'paused-automatically': 'paused automatically',
  cancelled: 'cancelled for good',
  done: 'done',
}

/** A mail to many: it is composed, or watched while it goes out. */
export function Announce() {
  const [kind, setKind] = useRemembered<'version' | 'letter'>('announce-kind', 'version')
  const query = useQuery({
    ...trpc.announce.show.queryOptions(),
    refetchInterval: ({ state }) => (state.data?.underWay ? 5_000 : 60_000),
  })
  if (!query.data) return <View heading={pending} query={query} />
  const { all, underWay, course, version } = query.data
  const before = <Before all={all.filter(({ name }) => name !== underWay?.name)} />
  if (underWay)
    return (
      <WatchAnnouncement announcement={underWay} course={course}>
        {before}
      </WatchAnnouncement>
    )
  return (
    <View
      heading="Announce"
      sentence={sentenceFor(version, all[0])}
      actions={
        <SegmentedControl aria-label="What to announce" value={kind} data={kinds} onChange={setKind} />
      }
      query={query}
    >
      {kind === 'letter' ? <ComposeLetter state={query.data} /> : <ComposeVersion state={query.data} />}
      {before}
    </View>
  )
}

function sentenceFor(kit: AnnounceState['version'], last: Announcement | undefined): string {
  const version = kit ? `The kit has version ${kit.version}.` : ''
  if (!last) return `${version} Nothing has been announced yet.`
  return `${version} The last announcement, ${last.title}, reached ${number(last.sent)} on ${dayOf(last.startsAt)}.`
}

function Before({ all }: { all: readonly Announcement[] }) {
  if (all.length === 0) return null
  return (
    <Section
      heading="Announced before"
      rows={all.map(({ name, title, startsAt, state, sent, recipients }) => ({
        id: name,
        words: title,
        note: `${states[state]} · ${number(sent)} of ${number(recipients)} sent`,
        axis: dayOf(startsAt),
      }))}
    />
  )
}

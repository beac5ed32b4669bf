import { SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type Announcement, type AnnounceState, trpc, useRemembered } from '../../api.ts'
import { dayOf, number } from '../../format.ts'
import { pending, Section, View } from '../../parts/parts.tsx'
import { Compose } from './compose.tsx'
import { stateWords, WatchAnnouncement } from './watch-announcement.tsx'

const kinds = [
  { value: 'version' as const, label: 'A new version' },
  { value: 'letter' as const, label: 'A letter' },
]

/** A mail to many: it is composed, or watched while it goes out. */
export function Announce() {
  const [kind, setKind] = useRemembered<'version' | 'letter'>('announce-kind', 'version')
  const query = useQuery({
    ...trpc.announce.show.queryOptions(),
    refetchInterval: ({ state }) => (state.data?.underWay ? 5_000 : 60_000),
  })
  if (!query.data) return <View heading={pending} query={query} />
  const { all, underWay, version } = query.data
  const before = (
    <Section
      heading="Announced before"
      rows={all
        .filter(({ name }) => name !== underWay?.name)
        .map(({ name, title, startsAt, state, sent, recipients }) => ({
          id: name,
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
      sentence={sentenceFor(version, all[0])}
      actions={
        <SegmentedControl aria-label="What to announce" value={kind} data={kinds} onChange={setKind} />
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
  return `${version} ${last.title} reached ${number(last.sent)} on ${dayOf(last.startsAt)}.`
}

import { SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { polled } from '../../api/queries.ts'
import { type RouterOutputs, useTRPC } from '../../api/trpc.ts'
import { formatDay, formatNumber } from '../../format/format.ts'
import { useViewState } from '../../navigation/view-state.ts'
import { LoadingRows } from '../../parts/outline/rows.tsx'
import { Section } from '../../parts/outline/section.tsx'
import { View } from '../../parts/outline/view.tsx'
import { Compose } from './compose.tsx'
import { type Announcement, stateWords, WatchAnnouncement } from './watch-announcement.tsx'

type AnnounceState = RouterOutputs['announce']['show']

const kinds = { version: 'A new version', letter: 'A letter' } as const
type Kind = keyof typeof kinds

interface AnnounceChoices {
  /** Empty: what there is to announce. */
  kind: Kind | ''
}

const initialChoices: AnnounceChoices = { kind: '' }
const runningMs = 5_000

/** A mail to many: it is composed, or watched while it goes out. */
export function Announce() {
  const trpc = useTRPC()
  const query = useQuery({
    ...trpc.announce.show.queryOptions(),
    ...polled(false),
    refetchInterval: ({ state }) => (state.data?.underWay ? runningMs : false),
    refetchOnWindowFocus: ({ state }) => Boolean(state.data?.underWay),
  })
  if (!query.data) {
    return (
      <View heading="Announce" query={query}>
        {query.isPending && <LoadingRows />}
      </View>
    )
  }
  const { all, underWay } = query.data
  const before = <AnnouncedBefore all={all.filter(({ name }) => name !== underWay?.name)} />
  if (underWay) return <WatchAnnouncement underWay={underWay}>{before}</WatchAnnouncement>
  return <Choose state={query.data}>{before}</Choose>
}

function AnnouncedBefore({ all }: { all: readonly Announcement[] }) {
  return (
    <Section
      heading="Announced before"
      rows={all.map(({ title, startsAt, state, sent, recipients }) => ({
        words: title,
        note: `${stateWords[state]} · ${formatNumber(sent)} of ${formatNumber(recipients)} sent`,
        axis: formatDay(startsAt),
      }))}
    />
  )
}

interface ChooseProps {
  state: AnnounceState
  children: React.ReactNode
}

function Choose({ state, children }: ChooseProps) {
  const { all, version, versionObstacle } = state
  const [choices, choose] = useViewState(initialChoices)
  const kind = choices.kind || (versionObstacle === null ? 'version' : 'letter')
  return (
    <View
      heading="Announce"
      note={sentenceFor(version, all.find(({ name }) => name === version?.version) ?? all[0])}
      actions={
        <SegmentedControl
          aria-label="What to announce"
          value={kind}
          data={Object.entries(kinds).map(([value, label]) => ({ value, label }))}
          onChange={(value) => choose({ kind: value === 'version' ? 'version' : 'letter' })}
        />
      }
    >
      {kind === 'version' && !version ? (
        <Section
          heading="No release notes"
          note="Write those of the kit’s version in content/releases.ts, then restart."
        />
      ) : (
        <Compose key={kind} kind={kind} state={state} />
      )}
      {children}
    </View>
  )
}

function sentenceFor(kit: AnnounceState['version'], last: Announcement | undefined): string {
  const version = kit ? `The kit has version ${kit.version}.` : ''
  if (!last) return `${version} Nothing has been announced yet.`
  return `${version} ${last.title} ${stateWords[last.state]}. It reached ${formatNumber(last.sent)} on ${formatDay(last.startsAt)}.`
}

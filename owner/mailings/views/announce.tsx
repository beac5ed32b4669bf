import { Progress, SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { announcementStateWords, isUnderWay } from '../announcement-words.ts'
import { type RouterOutputs, useTRPC } from '#owner/desk/views/api/trpc.ts'
import {
  formatDay,
  formatDayAndTime,
  formatNumber,
  formatShare,
} from '#owner/desk/views/format/format.ts'
import { hrefOf } from '#owner/desk/views/navigation/location.ts'
import { useViewState } from '#owner/desk/views/navigation/view-state.ts'
import { LoadingRows } from '#owner/desk/views/parts/outline/rows.tsx'
import { Section } from '#owner/desk/views/parts/outline/section.tsx'
import { View } from '#owner/desk/views/parts/outline/view.tsx'
import { AnnouncementActions } from './announcement-actions.tsx'
import { ComposeVersion } from './compose/compose.tsx'
import { Letters } from './compose/letters.tsx'
import { Series } from './series/series.tsx'

type AnnounceState = RouterOutputs['announce']['show']
type Announcement = AnnounceState['all'][number]

const kinds = { version: 'A new version', letter: 'A letter', series: 'A series' } as const
type Kind = keyof typeof kinds

interface AnnounceChoices {
  /** Empty: what there is to announce. */
  kind: Kind | ''
}

const initialChoices: AnnounceChoices = { kind: '' }
const runningMs = 5_000

/** A mail to many: what goes out now, what can be sent next, and what went out before. */
export function Announce() {
  const trpc = useTRPC()
  const query = useQuery({
    ...trpc.announce.show.queryOptions(),
    refetchInterval: ({ state }) => (state.data?.all.some(isUnderWay) ? runningMs : false),
    refetchOnWindowFocus: ({ state }) => Boolean(state.data?.all.some(isUnderWay)),
  })
  const [choices, choose] = useViewState(initialChoices)
  if (!query.data) {
    return (
      <View heading="Announce" query={query}>
        {query.isPending && <LoadingRows />}
      </View>
    )
  }
  const { all, version, versionObstacle } = query.data
  const kind = choices.kind || (versionObstacle === null ? 'version' : 'letter')
  const last = all.find(({ name }) => name === version?.version) ?? all[0]
  return (
    <View
      heading="Announce"
      note={sentenceFor(version, last)}
      query={query}
      actions={
        <SegmentedControl
          aria-label="What to announce"
          value={kind}
          data={Object.entries(kinds).map(([value, label]) => ({ value, label }))}
          onChange={(value) => choose({ kind: value as Kind })} // a key of the kinds
        />
      }
    >
      <UnderWay all={all.filter(isUnderWay)} />
      <Chosen kind={kind} state={query.data} />
      <AnnouncedBefore all={all.filter((one) => !isUnderWay(one))} />
    </View>
  )
}

function Chosen({ kind, state }: { kind: Kind; state: AnnounceState }) {
  if (kind === 'letter') return <Letters state={state} />
  if (kind === 'series') return <Series />
  if (state.version) return <ComposeVersion version={state.version} state={state} />
  return (
    <Section
      heading="No release notes"
      note={<a href={`${hrefOf('page')}#releases`}>Write what changed in the kit’s version</a>}
    />
  )
}

function UnderWay({ all }: { all: readonly Announcement[] }) {
  return (
    <Section
      heading="Under way"
      rows={all.map((one) => ({
        id: one.name,
        words: (
          <>
            <a href={hrefOf(`announce/${one.name}`)}>{one.title}</a>{' '}
            {announcementStateWords[one.state]}
            {one.sendAt !== null && one.state === 'starting' && (
              <> on {formatDayAndTime(one.startsAt)}</>
            )}
            <Progress
              mt="xs"
              value={(100 * one.sent) / Math.max(1, one.recipients)}
              aria-label={`${one.title}, sent`}
            />
          </>
        ),
        note: `${formatNumber(one.sent)} of ${formatNumber(one.recipients)} sent`,
        actions: <AnnouncementActions announcement={one} />,
        axis: formatShare(one.sent, one.recipients),
      }))}
    />
  )
}

function AnnouncedBefore({ all }: { all: readonly Announcement[] }) {
  return (
    <Section
      heading="Announced before"
      rows={all.map(({ name, title, startsAt, state, sent, recipients }) => ({
        id: name,
        words: <a href={hrefOf(`announce/${name}`)}>{title}</a>,
        note: `${announcementStateWords[state]} · ${formatNumber(sent)} of ${formatNumber(recipients)} sent`,
        axis: formatDay(startsAt),
      }))}
    />
  )
}

function sentenceFor(kit: AnnounceState['version'], last: Announcement | undefined): string {
  const version = kit ? `The kit has version ${kit.version}.` : ''
  if (!last) return `${version} Nothing has been announced yet.`
  return `${version} ${last.title} ${announcementStateWords[last.state]}. It reached ${formatNumber(last.sent)} on ${formatDay(last.startsAt)}.`
}

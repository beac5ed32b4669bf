import { useQuery } from '@tanstack/react-query'
import { type Answers, trpc, useRemembered } from '../../api.ts'
import { dayOf, number } from '../../format.ts'
import { LoadError, pending, Section, Switch, View } from '../../parts.tsx'
import { ComposeLetter } from './compose-letter.tsx'
import { ComposeVersion } from './compose-version.tsx'
import { WatchAnnouncement } from './watch-announcement.tsx'

export type AnnounceState = Answers['announce']['show']
export type Announcement = AnnounceState['all'][number]

const kinds = { version: 'A new version', letter: 'A letter' }
export const states: Record<Announcement['state'], string> = {
  starting: 'starts within a minute',
  running: 'under way',
  paused: 'paused',
  'paused-automatically': 'paused automatically',
  cancelled: 'cancelled for good',
  done: 'done',
}

/** A mail to many: it is composed, or watched while it goes out. */
export function Announce() {
  const [kind, setKind] = useRemembered<keyof typeof kinds>('announce-kind', 'version')
  const query = useQuery({
    ...trpc.announce.show.queryOptions(),
    refetchInterval: ({ state }) =>
      state.data?.all.some(({ state: one }) => one === 'running' || one === 'starting') ? 5_000 : 60_000,
  })
  if (!query.data) return <View heading={pending} query={query} />
  const { all, watched, version, isBusy } = query.data
  const compose = (
    <>
      {!isBusy && (
        <>
          <div className="actions">
            <Switch label="What to announce" value={kind} options={kinds} onChoose={setKind} />
          </div>
          {kind === 'letter' ? <ComposeLetter state={query.data} /> : <ComposeVersion state={query.data} />}
        </>
      )}
      <Before all={all.filter(({ name }) => name !== watched?.name)} />
    </>
  )
  if (watched)
    return (
      <WatchAnnouncement announcement={watched} course={query.data.course}>
        <LoadError of={query} />
        {compose}
      </WatchAnnouncement>
    )
  return (
    <View heading="Announce" sentence={sentenceFor(version, all[0])} query={query}>
      {compose}
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
      rows={all.map(({ name, title, startsAt, state, sent, audience }) => ({
        id: name,
        words: title,
        note: `${states[state]} · ${number(sent)} of ${number(audience)} sent`,
        axis: dayOf(startsAt),
      }))}
    />
  )
}

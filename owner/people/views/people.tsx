import { Button } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type RouterOutputs, useTRPC } from '#owner/desk/views/api/trpc.ts'
import { useSettled } from '#owner/desk/views/api/use-settled.ts'
import { counted, formatNumber } from '#owner/desk/views/format/format.ts'
import { hrefOf } from '#owner/desk/views/navigation/location.ts'
import { useViewState } from '#owner/desk/views/navigation/view-state.ts'
import { LoadingRows } from '#owner/desk/views/parts/outline/rows.tsx'
import { Section } from '#owner/desk/views/parts/outline/section.tsx'
import { View } from '#owner/desk/views/parts/outline/view.tsx'
import { Jobs } from '#owner/desk/views/jobs.tsx'
import { Export } from './export.tsx'
import { FoundList } from './found-list.tsx'
import { everyone, initialSearch, type Search } from './names.ts'
import { LastImport } from './import/last-import.tsx'
import { SearchFields } from './search-fields.tsx'

type OnTheList = RouterOutputs['people']['onTheList']

/** The counts of the list and those found are asked for apart: a page is there before them. */
export function People() {
  const trpc = useTRPC()
  const [search, change] = useViewState<Search>(initialSearch)
  const { pagesBefore, ...picks } = useSettled(search, { ms: 150, isFirstAtOnce: true })
  const query = useQuery({
    ...trpc.people.search.queryOptions({ ...picks, after: pagesBefore.at(-1) ?? null }),
    placeholderData: keepPreviousData,
  })
  const list = useQuery(trpc.people.onTheList.queryOptions()).data
  const { data } = query
  return (
    <View
      heading={list && `${formatNumber(list.counts.active)} on the list`}
      note={list && describe(list)}
      actions={
        <>
          {data && <Export picks={picks} />}
          <Button component="a" href={hrefOf('people/import')}>
            Import
          </Button>
        </>
      }
      query={query}
    >
      <Jobs />
      <LastImport />
      <SearchFields
        search={search}
        campaigns={list?.campaigns ?? []}
        onChange={(changed) => change({ ...changed, pagesBefore: [] })}
      />
      {query.isPending && <LoadingRows count={8} />}
      {data && data.people.length === 0 && list && !isEmpty(list) && (
        <NobodyFound onShowEveryone={() => change({ ...everyone, pagesBefore: [] })} />
      )}
      {data && data.people.length > 0 && (
        <FoundList
          found={data}
          isOld={query.isPlaceholderData}
          picks={picks}
          pagesBefore={pagesBefore}
          onPage={(chosen) => change({ pagesBefore: chosen })}
        />
      )}
    </View>
  )
}

function isEmpty(list: OnTheList): boolean {
  const { active, unsubscribed, undeliverable, blocked } = list.counts
  return active + unsubscribed + undeliverable + blocked === 0
}

function describe({ counts }: OnTheList): string {
  const { wantNews, unsubscribed, undeliverable } = counts
  return `${counted(wantNews, 'wants', 'want')} news. ${formatNumber(unsubscribed)} left, ${formatNumber(undeliverable)} cannot be reached.`
}

function NobodyFound({ onShowEveryone }: { onShowEveryone: () => void }) {
  return (
    <div aria-live="polite">
      <Section heading="Nobody found" note="Mistyped addresses are shown as they were typed.">
        <Button onClick={onShowEveryone}>Show everyone</Button>
      </Section>
    </div>
  )
}

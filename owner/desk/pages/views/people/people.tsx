import { Button, Group, Pagination } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type RouterOutputs, useTRPC } from '../../api/trpc.ts'
import { formatNumber } from '../../format/format.ts'
import { hrefOf } from '../../navigation/location.ts'
import { useViewState } from '../../navigation/view-state.ts'
import { LoadingRows } from '../../parts/outline/rows.tsx'
import { Section } from '../../parts/outline/section.tsx'
import { Note } from '../../parts/text.tsx'
import { View } from '../../parts/outline/view.tsx'
import { Export } from './export.tsx'
import { everyone, type Search } from './names.ts'
import { PeopleTable } from './people-table.tsx'
import { SearchFields } from './search-fields.tsx'

type Found = RouterOutputs['people']['search']

const pageRows = 50

export function People() {
  const trpc = useTRPC()
  const [search, change] = useViewState<Search>(everyone)
  const [settled] = useDebouncedValue(search, 150, { leading: true })
  const query = useQuery({
    ...trpc.people.search.queryOptions(settled),
    placeholderData: keepPreviousData,
  })
  const { data } = query
  const isListEmpty = data !== undefined && Object.values(data.counts).every((count) => count === 0)
  return (
    <View
      heading={data && `${formatNumber(data.counts.active)} on the list`}
      note={data && describe(data)}
      actions={
        <>
          {data && <Export search={settled} />}
          <Button component="a" href={hrefOf('people/import')}>
            Import
          </Button>
        </>
      }
      query={query}
    >
      <SearchFields
        search={search}
        campaigns={data?.campaigns ?? []}
        onChange={(changed) => change({ page: 0, ...changed })}
      />
      {query.isPending && <LoadingRows count={8} />}
      {data && data.people.length === 0 && !isListEmpty && (
        <NobodyFound onShowEveryone={() => change(everyone)} />
      )}
      {data && data.people.length > 0 && (
        <FoundPeople found={data} page={search.page} onPage={(page) => change({ page })} />
      )}
    </View>
  )
}

function describe({ counts, wantNews }: Found): string {
  return `${formatNumber(wantNews)} want news. ${formatNumber(counts.unsubscribed)} left, ${formatNumber(counts.undeliverable)} cannot be reached.`
}

function NobodyFound({ onShowEveryone }: { onShowEveryone: () => void }) {
  return (
    <div aria-live="polite">
      <Section heading="Nobody found" note="Mistyped addresses stand as they were typed.">
        <Button onClick={onShowEveryone}>Show everyone</Button>
      </Section>
    </div>
  )
}

interface FoundPeopleProps {
  found: Found
  page: number
  onPage: (page: number) => void
}

function FoundPeople({ found: { people, total }, page, onPage }: FoundPeopleProps) {
  const first = page * pageRows
  const last = first + people.length
  return (
    <section aria-label="People">
      <PeopleTable people={people} />
      <Group justify="space-between" mt="sm">
        <Note aria-live="polite">
          {formatNumber(first + 1)}–{formatNumber(last)} of {formatNumber(total)}, newest first
        </Note>
        <Pagination
          hideWithOnePage
          total={Math.ceil(total / pageRows)}
          value={page + 1}
          onChange={(chosen) => onPage(chosen - 1)}
        />
      </Group>
    </section>
  )
}

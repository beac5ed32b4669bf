import { Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { maxCounted } from '../max-counted.ts'
import { useTRPC } from '#owner/desk/views/api/trpc.ts'
import { formatNumber } from '#owner/desk/views/format/format.ts'
import { LinkButton } from '#owner/desk/views/parts/link-button.tsx'
import { Note } from '#owner/desk/views/parts/text.tsx'
import type { FoundPeople, Picks, Search } from './names.ts'
import { PeopleTable } from './people-table.tsx'

const pageRows = 50

interface FoundListProps {
  found: FoundPeople
  /** It was found by the search before, and stays until the next one is answered. */
  isOld: boolean
  picks: Picks
  pagesBefore: Search['pagesBefore']
  onPage: (pagesBefore: Search['pagesBefore']) => void
}

/** A page of those found, the newest first. */
export function FoundList({ found, isOld, picks, pagesBefore, onPage }: FoundListProps) {
  const { people, last } = found
  const first = pagesBefore.length * pageRows
  return (
    <section aria-label="People">
      <PeopleTable people={people} />
      <Group justify="space-between" mt="sm">
        <Note aria-live="polite">
          {formatNumber(first + 1)}–{formatNumber(first + people.length)}
          {last && !isOld && <CountedTotal picks={picks} />}
          {!last && <> of {formatNumber(first + people.length)}</>}, newest first
        </Note>
        <Group>
          {pagesBefore.length > 0 && (
            <LinkButton onClick={() => onPage(pagesBefore.slice(0, -1))}>Newer</LinkButton>
          )}
          {last && <LinkButton onClick={() => onPage([...pagesBefore, last])}>Older</LinkButton>}
        </Group>
      </Group>
    </section>
  )
}

/** It comes after the page, and only if that is not the last one. */
function CountedTotal({ picks }: { picks: Picks }) {
  const trpc = useTRPC()
  const { data: total } = useQuery(trpc.people.countFound.queryOptions(picks))
  if (total === undefined) return null
  if (total > maxCounted) return <> of more than {formatNumber(maxCounted)}</>
  return <> of {formatNumber(total)}</>
}

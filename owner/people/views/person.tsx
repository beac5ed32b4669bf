import { SimpleGrid } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { hasCode } from '#owner/desk/views/api/errors.ts'
import { type RouterOutputs, useTRPC } from '#owner/desk/views/api/trpc.ts'
import { formatLongDay, formatTime } from '#owner/desk/views/format/format.ts'
import { BackLink } from '#owner/desk/views/navigation/back-link.tsx'
import { LoadingRows, Rows } from '#owner/desk/views/parts/outline/rows.tsx'
import { Section } from '#owner/desk/views/parts/outline/section.tsx'
import { View } from '#owner/desk/views/parts/outline/view.tsx'
import { ErasePerson, PersonActions } from './person-actions.tsx'
import { eventsOf } from './person-events.ts'
import { KeptData } from './kept-data.tsx'

type PersonState = RouterOutputs['people']['show']

export const backToPeople = <BackLink path="people" name="People" />

export function Person({ id }: { id: number }) {
  const trpc = useTRPC()
  const query = useQuery(trpc.people.show.queryOptions({ id }))
  if (hasCode(query.error, 'NOT_FOUND')) {
    return <View heading="This person was erased." back={backToPeople} />
  }
  const person = query.data
  return (
    <View
      heading={person?.address}
      back={backToPeople}
      note={person && sentenceFor(person)}
      actions={person && <PersonActions person={person} />}
      query={query}
    >
      {query.isPending && <LoadingRows />}
      {person && (
        <>
          <SimpleGrid>
            <KeptData person={person} />
            <Happened person={person} />
          </SimpleGrid>
          <ErasePerson id={id} address={person.address} />
        </>
      )}
    </View>
  )
}

function sentenceFor(person: PersonState): string {
  const { state, signed_up_at, left_at, announcements_agreed_at } = person
  const left = left_at === null ? '' : ` on ${formatLongDay(left_at)}`
  const news = announcements_agreed_at === null ? '' : ' Wants news.'
  return {
    active: `On the list since ${formatLongDay(signed_up_at)}.${news}`,
    unsubscribed: `Left the list${left}.`,
    undeliverable: `Cannot be reached: a mail failed or came back${left}.`,
    blocked: `Blocked our mail${left}, or reported it as spam. No mail goes there any more.`,
  }[state]
}

/** The newest first, by day. */
function Happened({ person }: { person: PersonState }) {
  const days = Map.groupBy(eventsOf(person), ({ at }) => formatLongDay(at))
  return (
    <Section heading="What happened">
      {[...days].map(([day, events]) => (
        <div key={day}>
          <h3>{day}</h3>
          <Rows rows={events.map(({ at, ...event }) => ({ ...event, axis: formatTime(at) }))} />
        </div>
      ))}
    </Section>
  )
}

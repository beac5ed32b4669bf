import { useQuery } from '@tanstack/react-query'
import { useTRPC } from '#owner/desk/views/api/trpc.ts'
import { BackLink } from '#owner/desk/views/navigation/back-link.tsx'
import { LoadingRows } from '#owner/desk/views/parts/outline/rows.tsx'
import { View } from '#owner/desk/views/parts/outline/view.tsx'
import { Sent } from './sent.tsx'
import { isMoving, movingMs } from './under-way.tsx'
import { Writing } from './writing/writing.tsx'

/** One letter: to be written, or how it goes or went. */
export function LetterView({ id }: { id: number }) {
  const trpc = useTRPC()
  const query = useQuery({
    ...trpc.mailings.one.queryOptions({ id }),
    refetchInterval: ({ state }) => (state.data && isMoving(state.data) ? movingMs : false),
  })
  const back = <BackLink path="letters" name="Letters" />
  if (!query.data) {
    return (
      <View heading={query.isPending ? undefined : 'Letters'} back={back} query={query}>
        {query.isPending && <LoadingRows />}
      </View>
    )
  }
  return query.data.isEditable ? (
    <Writing key={id} kept={query.data} back={back} />
  ) : (
    <Sent letter={query.data} back={back} />
  )
}

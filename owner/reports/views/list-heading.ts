import type { RouterOutputs } from '#owner/desk/views/api/trpc.ts'
import { counted } from '#owner/desk/views/format/format.ts'

type Counts = Pick<RouterOutputs['people']['onTheList']['counts'], 'active' | 'wantNews'>

/** "121 people, 12 want to hear more" */
export function headingOfList({ active, wantNews }: Counts): string {
  if (active === 0) return 'Nobody is on your list yet'
  const people = counted(active, 'person', 'people')
  if (wantNews === 0) return `${people} on your list`
  return `${people}, ${counted(wantNews, 'wants', 'want')} to hear more`
}

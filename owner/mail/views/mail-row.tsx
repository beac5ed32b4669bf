import { formatMoment } from '#owner/desk/views/format/format.ts'
import { hrefOf } from '#owner/desk/views/navigation/location.ts'
import type { RowProps } from '#owner/desk/views/parts/outline/rows.tsx'
import { Breakable } from '#owner/desk/views/parts/text.tsx'
import type { MailRow } from './mail-lists.ts'

/** Names the person, what the mail is about, and when it was queued, which the order follows. */
export function rowForMail({ id, subscriber, address, letter, queued_at: at }: MailRow): RowProps {
  return {
    id,
    words: (
      <a href={hrefOf(`people/${subscriber}`)}>
        <Breakable>{address}</Breakable>
      </a>
    ),
    note: letter === null ? 'starter mail' : `“${letter}”`,
    axis: formatMoment(at),
  }
}

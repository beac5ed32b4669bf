import type { RouterOutputs } from '#owner/desk/views/api/trpc.ts'
import { formatDayAndTime } from '#owner/desk/views/format/format.ts'
import { mailingStateWords } from '#owner/mailings/mailing-words.ts'

type Letter = Pick<
  RouterOutputs['mailings']['list']['mailings'][number],
  'state' | 'startsAt' | 'pausedWhy' | 'sent' | 'failed'
>

/** The state of a letter that has started, after its title. */
export function stateWords(letter: Letter): string {
  const { state, sent, failed } = letter
  if (state !== 'done') return underWayWords(letter)
  // Everybody may have left before their mail went out.
  return sent + failed === 0 ? 'had nobody left to go to' : 'was sent'
}

export function underWayWords({
  state,
  startsAt,
  pausedWhy,
}: Pick<Letter, 'state' | 'startsAt' | 'pausedWhy'>): string {
  if (state === 'scheduled') return `starts at ${formatDayAndTime(startsAt!)}`
  if (state === 'paused' && pausedWhy !== null) return `has paused: ${pausedWhy}`
  return mailingStateWords[state]
}

import type { RouterOutputs } from '#owner/desk/views/api/trpc.ts'
import { formatDayAndTime } from '#owner/desk/views/format/format.ts'

type Letter = Pick<
  RouterOutputs['mailings']['list']['mailings'][number],
  'state' | 'startsAt' | 'pausedWhy' | 'sent' | 'failed'
>

/** The state of a letter that has started, behind its title. */
export function stateWords(letter: Letter): string {
  const { state, sent, failed } = letter
  if (state === 'cancelled') return 'was cancelled'
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
  if (state === 'sending') return 'is going out'
  return pausedWhy === null ? 'is paused' : `has paused: ${pausedWhy}`
}

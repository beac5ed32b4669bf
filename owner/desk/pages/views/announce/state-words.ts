import type { RouterOutputs } from '../../api/trpc.ts'

export type Announcement = RouterOutputs['announce']['show']['all'][number]

export const stateWords: Record<Announcement['state'], string> = {
  starting: 'starts',
  running: 'is going out',
  paused: 'is paused',
  'paused-automatically': 'has paused automatically',
  cancelled: 'was cancelled',
  done: 'is done',
}

export function isUnderWay({ state }: Pick<Announcement, 'state'>): boolean {
  return state !== 'done' && state !== 'cancelled'
}

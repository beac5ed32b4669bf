import type { AnnouncementProgress } from './progress.ts'

/** `paused-automatically`: by the share of mail that came back, or by complaints. */
export type ShownState = AnnouncementProgress['state'] | 'paused-automatically'

/** The state of an announcement, after its name: at the desk and on the command line. */
export const announcementStateWords: Record<ShownState, string> = {
  starting: 'starts',
  running: 'is going out',
  paused: 'is paused',
  'paused-automatically': 'has paused automatically',
  cancelled: 'was cancelled',
  done: 'is done',
}

export function shownState({
  state,
  pausedWhy,
}: Pick<AnnouncementProgress, 'state' | 'pausedWhy'>): ShownState {
  return state === 'paused' && pausedWhy !== null ? 'paused-automatically' : state
}

export function isUnderWay({ state }: { state: ShownState }): boolean {
  return state !== 'done' && state !== 'cancelled'
}

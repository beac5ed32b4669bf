import type { Condition } from '#owner/desk/views/api/trpc.ts'
import type { Mark } from '#owner/desk/views/parts/glyph.tsx'

export const marks: Record<Condition['severity'], Mark> = {
  blocks: 'wrong',
  error: 'wrong',
  warning: 'look',
  'not-checked': 'unknown',
  fine: 'ok',
}

/** On the axis. */
export const severityWords: Record<Condition['severity'], string> = {
  blocks: 'blocks',
  error: 'error',
  warning: 'warning',
  'not-checked': 'not checked',
  fine: 'passed',
}

import { keptReply } from '#rigs/mail/smtp-inbox.ts'
import type { Form } from '../rig/drill.ts'
import type { Moment } from './kill-at.ts'

export function killAt(moment: Moment): URL {
  const parameters = new URLSearchParams({ moment, reply: keptReply })
  return new URL(`kill-at.ts?${parameters.toString()}`, import.meta.url)
}

/** The long form waits until the leases of the dead worker end; the short one sets the clock forward instead. */
export function afterTheLeases(form: Form): URL[] {
  return form === 'short' ? [new URL('clock-ahead.ts', import.meta.url)] : []
}

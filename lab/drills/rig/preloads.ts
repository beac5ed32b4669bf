import { keptReply } from '#rigs/mail/smtp-inbox.ts'
import type { Moment } from './kill-at.ts'
import type { Form } from './stage.ts'

export function killAt(moment: Moment): URL {
  return preload('./kill-at.ts', { moment, reply: keptReply })
}

export function fastClock({ speed = 1, aheadMs = 0 }): URL {
  return preload('fast-clock.ts', { speed: String(speed), aheadMs: String(aheadMs) })
}

/**
 * The long form waits until the leases of the dead worker end, 45 s later; the short one sets the clock a minute forward,
 * so that the same comparison ends them at once.
 */
export function afterTheLeases(form: Form): URL[] {
  return form === 'short' ? [fastClock({ aheadMs: 60_000 })] : []
}

function preload(file: string, parameters: Record<string, string>): URL {
  return new URL(`${file}?${new URLSearchParams(parameters).toString()}`, import.meta.url)
}

import type { Config } from '../settings/config.ts'
import type { ClockRepair } from '../database/clock.ts'
import { endFutureLimits } from '../database/limit-windows.ts'
import { endFutureWaits } from '../deliveries/deliveries.ts'
import { forgetFutureMinutes } from '../deliveries/hand-overs.ts'
import { forgetFutureRelay } from '../deliveries/mail-state.ts'
import { endFutureAddresses } from '../test-address/test-addresses.ts'
import { endFutureNetworks } from '../sign-up/limits.ts'

/** The repairs of the site's tables, one for each that has times to come. */
export function siteClockRepairs({ retrySeconds }: Pick<Config, 'retrySeconds'>): ClockRepair[] {
  return [
    (now) => endFutureWaits(now, retrySeconds),
    endFutureLimits,
    endFutureNetworks,
    forgetFutureMinutes,
    forgetFutureRelay,
    endFutureAddresses,
  ]
}

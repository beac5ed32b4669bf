import { alertatron } from './alertatron.ts'
import type { Bridge } from './bridge.ts'
import { ownWebhook } from './own-webhook.ts'
import { pineConnector } from './pineconnector.ts'
import { threeCommas } from './three-commas.ts'
import { tradersPost } from './traderspost.ts'
import { wunderTrading } from './wundertrading.ts'

/** In the order of the personal page and of the guide. */
export const bridges: readonly Bridge[] = [
  tradersPost,
  pineConnector,
  threeCommas,
  wunderTrading,
  alertatron,
  ownWebhook,
]

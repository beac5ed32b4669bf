import { alertsPath, type TestAddressState } from '#contract/test-address.ts'
import { knownMessages } from '#site/kit/alert/known-messages.ts'
import type { SiteContent } from '#site/site-content.ts'
import type { Reader } from '../database/database.ts'
import { isPublicHost } from '../settings/hosts.ts'
import type { SettingsHolder, SiteSettings } from '../settings/site-settings.ts'
import type { Subscriber } from '../subscribers/subscribers.ts'
import type { Reading } from './receive-alert.ts'
import { arrivalsOf, findBySubscriber } from './test-addresses.ts'

interface StateDeps {
  database: Reader
  settings: SettingsHolder
  /** ms since 1970. */
  now: () => number
}

/** Reads somebody's test address as the personal page shows it. */
export async function readTestAddress(
  { id }: Pick<Subscriber, 'id'>,
  { database, settings, now }: StateDeps,
): Promise<TestAddressState> {
  const open = await findBySubscriber(database, id, now())
  if (!open) return noTestAddress
  return {
    address: settings.current.config.publicUrl + alertsPath + open.key,
    endsAt: new Date(open.endsAt).toISOString(),
    arrivals: await arrivalsOf(database, id),
    entrySeen: open.entrySeen,
    exitSeen: open.exitSeen,
  }
}

export const noTestAddress: TestAddressState = {
  address: null,
  endsAt: null,
  arrivals: [],
  entrySeen: false,
  exitSeen: false,
}

export function readingFor(content: SiteContent): Reading {
  const { nothingWrong } = content.firstAlert
  return { known: knownMessages(content), nothingWrong }
}

/** TradingView calls a public name at port 443. */
export function canReceiveAlerts({ config, isAddressKnown }: SiteSettings): boolean {
  const { protocol, hostname, port } = new URL(config.publicUrl)
  const isName = !/^[\d.]+$|^\[/.test(hostname)
  const isPublic = isAddressKnown && isName && isPublicHost(hostname)
  return isPublic && protocol === 'https:' && port === ''
}

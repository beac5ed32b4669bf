import type { Config } from '../settings/config.ts'
import type { Mailer } from './mailer.ts'
import { openMailer } from './open-mailer.ts'

interface Settings {
  readonly current: { readonly config: Config }
  onChange(follow: () => Promise<void>): void
}

/**
 * Sends each mail by the service of now. It is opened with the first mail: loading it takes a third
 * of a start. At a change the former one is closed at once, which breaks off what it has begun: it
 * may be the reason for the change.
 */
export function createFollowingMailer(settings: Settings): Mailer {
  let service = serviceOf(settings.current.config)
  let opened: Promise<Mailer> | undefined

  function follow(): void {
    const { config } = settings.current
    if (serviceOf(config) === service) return
    void opened?.then((former) => former.close())
    service = serviceOf(config)
    opened = undefined
  }

  settings.onChange(async () => follow())
  return {
    async send(message) {
      follow() // other followers of the change may not have come to an end yet
      opened ??= openMailer(settings.current.config)
      return (await opened).send(message)
    },
    close: async () => (await opened)?.close(),
  }
}

/** Names the service that the settings ask for. */
export function serviceOf({ smtpUrl, mailApi, hasLocalInbox }: Config): string {
  return JSON.stringify([smtpUrl, mailApi, hasLocalInbox])
}

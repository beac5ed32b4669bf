import type { Config } from '../settings/config.ts'
import type { Mailer, SendOutcome } from './mailer.ts'
import { openMailer } from './open-mailer.ts'

interface OpenedMailer {
  /** The settings that it was opened with. */
  service: string
  mailer: Promise<Mailer>
  inFlight: Set<Promise<SendOutcome>>
}

/**
 * Sends each mail by the service of now. After a change the former one finishes what it has begun,
 * and is closed.
 */
export function createFollowingMailer(settings: {
  readonly current: { readonly config: Config }
}): Mailer {
  let opened = open(settings.current.config)

  function mailerOfNow(): OpenedMailer {
    const { config } = settings.current
    if (serviceOf(config) === opened.service) return opened
    void closeWhenDone(opened)
    opened = open(config)
    return opened
  }

  return {
    async send(message) {
      const { mailer, inFlight } = mailerOfNow()
      const sending = mailer.then((one) => one.send(message))
      inFlight.add(sending)
      return sending.finally(() => inFlight.delete(sending))
    },
    close: async () => (await opened.mailer).close(),
  }
}

async function closeWhenDone({ mailer, inFlight }: OpenedMailer): Promise<void> {
  await Promise.all(inFlight)
  await (await mailer).close()
}

function open(config: Config): OpenedMailer {
  return { service: serviceOf(config), mailer: openMailer(config), inFlight: new Set() }
}

function serviceOf({ smtpUrl, mailApi, hasLocalInbox }: Config): string {
  return JSON.stringify([smtpUrl, mailApi, hasLocalInbox])
}

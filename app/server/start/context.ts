import type { FastifyInstance } from 'fastify'
import type { Config } from '../settings/config.ts'
import type { ClockRepair } from '../database/clock.ts'
import type { Database } from '../database/database.ts'
import type { Migration } from '../database/open-database.ts'
import type { Gate } from '../http/gate.ts'
import type { Log } from '../log.ts'
import type { PublishedSite } from '../site/load-site.ts'
import type { Renderer } from '../site/renderer-client.ts'
import type { SiteHolder } from '../site/served-site.ts'
import type { SettingsHolder } from '../settings/site-settings.ts'
import type { MailingRules } from '../deliveries/mailing-rules.ts'
import type { RecordEvent } from '../subscribers/events.ts'
import type { Mailer } from '../transports/mailer.ts'

/** The parts that routes and the owner's ring share. */
export interface ServerContext {
  /** The settings of now: read it at each use. */
  readonly config: Config
  settings: SettingsHolder
  database: Database
  mailer: Mailer
  log: Log
  /** Asked before every change of state. */
  gate: Gate
  /** Key of keyed hashes. */
  secret: string
  site: SiteHolder
  published: PublishedSite
  renderer: Renderer
  /** ms since 1970. */
  now: () => number
  recordEvent: RecordEvent
  mailings: MailingRules
  /** Call this after queueing deliveries, so that they go out at once. */
  wakeDeliveries(): void
  /**
   * Runs `work` every `everyMs` until the server stops, one run after the other. A fault is logged.
   */
  repeat(name: string, everyMs: number, work: () => Promise<void>): void
  /**
   * Repeats work that deletes by age. It waits until the process has run for an hour: a clock
   * that is wrong when a machine starts is set right by then.
   */
  repeatDeleting(name: string, everyMs: number, work: () => Promise<void>): void
}

/** Adds to the server what does not serve a visitor. */
export interface Extension {
  migrations: readonly Migration[]
  recordEvent(config: Config): RecordEvent
  /** The repairs of its tables, one for each that has times to come. */
  clockRepairs(config: Config): readonly ClockRepair[]
  mailings: MailingRules
  /** Registers routes, `onClose` hooks and repeated work. */
  start(app: FastifyInstance, context: ServerContext): Promise<void>
  /** The lines for the owner, printed below the others once the server listens. */
  linesForOwner?(context: ServerContext): Promise<string[]>
}

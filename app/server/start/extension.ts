import type { IncomingMessage } from 'node:http'
import type { Config } from '../configuration/config.ts'
import type { Database } from '../database/database.ts'
import type { MailTrouble } from '../deliveries/backlog.ts'
import type { Answer } from '../http/answer.ts'
import type { Gate, SecretCheck } from '../http/gate.ts'
import type { Log } from '../log.ts'
import type { Mailer } from '../transports/mailer.ts'

/** The parts that endpoints and extensions share. */
export interface ServerContext {
  config: Config
  database: Database
  mailer: Mailer
  log: Log
  /** Asked before every change of state. */
  gate: Gate
  checkSecret: SecretCheck
  /** Key of keyed hashes. */
  secret: string
  /** Hash of the starter mail's template. */
  template: string
  /** ms since 1970. */
  now: () => number
}

export interface ExtensionContext extends ServerContext {
  /** Call this after queueing deliveries, so that they go out at once. */
  wakeDeliveries(): void
}

export interface RunningExtension {
  /** Answers any method at the paths of the extension. Undefined: the path is not one of them. */
  answer?(request: IncomingMessage, path: string): Promise<Answer | undefined> | undefined
  /** Called when mail gets stuck or late, and with undefined when it flows again. */
  reportMailTrouble?(trouble: MailTrouble | undefined): void
  /** Called when the server starts and every hour: drops what the extension no longer needs. */
  maintain?(): Promise<void>
  /** Called once, when the server stops. Resolves within `graceMs`. */
  stop?(graceMs: number): Promise<void>
}

/**
 * Adds to the server what does not serve a visitor. It starts with the server, before the first request. Undefined: the
 * configuration does not ask for it.
 */
export type Extension = (
  context: ExtensionContext,
) => RunningExtension | undefined | Promise<RunningExtension | undefined>

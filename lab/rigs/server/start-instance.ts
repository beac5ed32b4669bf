import { readConfig } from '#server/configuration/config.ts'
import { migrate, openDatabase } from '#server/database/open-database.ts'
import type { Mailer, MailMessage } from '#server/transports/mailer.ts'
import { runServer, type ServerParts } from '#server/start/run-server.ts'
import { promisedLimits } from '#server/http/server.ts'
import { makeStaticFile } from '#server/http/static-files.ts'

export interface Instance {
  url: string
  /** The function's answer. */
  signUp(email: string): Promise<{ status: number; alreadyExists: boolean | undefined }>
  stop(): Promise<void>
}

/** One of several: the server's own wiring in this process, with pages of one word each. */
export async function startInstance(
  databaseUrl: string,
  mailer: Mailer,
  environment: Record<string, string> = {},
  parts: Partial<ServerParts> = {},
): Promise<Instance> {
  const read = readConfig({ DATABASE_URL: databaseUrl, LIMIT_IP_PER_10_MIN: 'off', ...environment })
  if ('faults' in read) throw new Error(read.faults.join('\n'))
  const { config } = read
  const database = await openDatabase(databaseUrl)
  await migrate(database)
  const server = await runServer({
    database,
    mailer,
    now: Date.now,
    writeLog: () => {},
    extensions: [],
    config: { ...config, host: '127.0.0.1', port: 0 },
    pages: { landing: page('landing'), notFound: page('not found'), page: (name) => name, part: () => '' },
    files: new Map(),
    downloads: new Map(),
    releases: [],
    template,
    hashes: { styleHashes: [], scriptHashes: [] },
    answerLocalInbox: undefined,
    clientLimits: { ...promisedLimits, lastRequestMs: 0 },
    ...parts,
  })
  const url = `http://127.0.0.1:${server.port}`
  return { url, signUp: (email) => signUp(url, config.anonKey, email), stop: server.stop }
}

const template = {
  subject: 's',
  html: 'h',
  text: 't',
  from: 'a@b.co',
  replyTo: 'a@b.co',
  publicUrl: 'u',
}

/** Accepts every mail at once, and remembers its recipient. */
export function rememberingMailer(): Mailer & { recipients: string[] } {
  const recipients: string[] = []
  return {
    recipients,
    async send({ to }: MailMessage) {
      recipients.push(to)
      return { kind: 'accepted' }
    },
    close: async () => {},
  }
}

function page(word: string) {
  return makeStaticFile(Buffer.from(word), new Map(), {})
}

async function signUp(url: string, anonKey: string, email: string) {
  const answer = await fetch(`${url}/functions/v1/send-starter-bot-email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${anonKey}` },
    body: JSON.stringify({ email }),
  })
  const body: unknown = await answer.json()
  const alreadyExists =
    typeof body === 'object' && body !== null && 'alreadyExists' in body
      ? body.alreadyExists === true
      : undefined
  return { status: answer.status, alreadyExists }
}

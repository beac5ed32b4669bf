import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import PostalMime, { type Email } from 'postal-mime'
import { forNodemailer, type Mailer } from './mailer.ts'
import { smtpFailure } from './smtp-failure.ts'

export interface LocalMail {
  /** Sorts by time of arrival. */
  id: string
  mail: Email
}

export interface LocalInbox extends Mailer {
  /** Newest first, the newest 100. */
  list(): Promise<LocalMail[]>
  /** The bytes that SMTP would have sent. Undefined: there is no such mail. */
  read(id: string): Promise<Buffer | undefined>
  /** Deletes every mail to an identity: an address as the list compares it. */
  erase(identity: string): Promise<void>
}

const mostListed = 100

/** Development only: mail becomes .eml files in a folder, to be looked at in the browser. */
export function createLocalInbox(folder: string, now: () => number = Date.now): LocalInbox {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  return {
    async send(message) {
      try {
        const { message: bytes } = await transport.sendMail(forNodemailer(message))
        const id = `${new Date(now()).toISOString().replaceAll(/\D/g, '')}-${randomBytes(4).toString('hex')}`
        await mkdir(folder, { recursive: true })
        // Renamed only when it is whole, so that half a mail is never listed.
        await writeFile(join(folder, `${id}.part`), bytes)
        await rename(join(folder, `${id}.part`), join(folder, `${id}.eml`))
        return { kind: 'accepted' }
      } catch (cause) {
        return smtpFailure(cause)
      }
    },

    async list() {
      const newest = (await idsIn(folder)).toSorted().toReversed().slice(0, mostListed)
      return Promise.all(newest.map(async (id) => ({ id, mail: await parse(folder, id) })))
    },

    async read(id) {
      // The id comes from a URL: it may not lead out of the folder.
      return /^\d+-[\da-f]+$/.test(id)
        ? readFile(join(folder, `${id}.eml`)).catch(() => undefined)
        : undefined
    },

    async erase(identity) {
      for (const id of await idsIn(folder)) {
        const { to = [] } = await parse(folder, id)
        if (to.some(({ address }) => address?.toLowerCase() === identity))
          await rm(join(folder, `${id}.eml`), { force: true })
      }
    },

    close: () => Promise.resolve(),
  }
}

async function idsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => [])
  return names.filter((name) => name.endsWith('.eml')).map((name) => name.slice(0, -'.eml'.length))
}

async function parse(folder: string, id: string): Promise<Email> {
  return PostalMime.parse(await readFile(join(folder, `${id}.eml`)))
}

import { extname } from 'node:path'
import { fillPlaceholders } from '#site/text/placeholders.ts'
import type { Content } from '#content/content.ts'
import type { Config } from '../settings/config.ts'
import type { Database } from '../database/database.ts'
import { keepTemplate } from '../deliveries/mail-templates.ts'
import { fillPages } from '../http/pages.ts'
import { type PreparedFile, prepareFile } from '../http/prepared-file.ts'
import { securityHeaders } from '../http/security-headers.ts'
import { keepWordings, wordingsOf } from '../subscribers/wordings.ts'
import type { ServedSite } from './served-site.ts'
import type { LoadedSite } from './load-site.ts'
import type { SiteBundle } from '#site/bundle.ts'

/** The settings that stand in pages and mails. */
export type SiteValues = Pick<
  Config,
  'publicUrl' | 'functionsUrl' | 'anonKey' | 'supportEmail' | 'mailFrom' | 'source'
>

/**
 * Fills in what differs between installations. Stores the template of the starter mail, from which
 * deliveries are written, and the words that visitors agree to.
 */
export async function fillSite(
  { version, bundle }: LoadedSite,
  settings: SiteValues,
  database: Database,
): Promise<ServedSite> {
  const { content, kit, mails } = bundle
  const values = withPublishedSender(settings, content)
  const wordings = wordingsOf(content)
  const security = securityHeaders(values.publicUrl, values.functionsUrl, bundle.inlineHashes)
  const [pages, rootFiles, templateHash] = await Promise.all([
    fillPages(bundle.pages, values, security.page),
    prepareRootFiles(bundle.root, values.publicUrl),
    database.transaction(async (transaction) => {
      await keepWordings(transaction, wordings)
      return keepTemplate(transaction, mails.starter)
    }),
  ])
  return {
    ...(version !== undefined && { version }),
    bundle,
    content,
    wordings,
    pages,
    rootFiles,
    kit,
    releases: content.releases,
    security,
    mails,
    starterTemplate: templateHash,
  }
}

/** The settings with the published name as the sender's, unless MAIL_FROM has one. */
export function withPublishedSender<Values extends Pick<Config, 'mailFrom' | 'source'>>(
  values: Values,
  { brand }: Pick<Content, 'brand'>,
): Values {
  const { source } = values
  const isNamed = source['MAIL_FROM'] !== undefined && values.mailFrom.name !== ''
  return isNamed ? values : { ...values, mailFrom: { ...values.mailFrom, name: brand.name } }
}

const mediaTypes: Record<string, string> = {
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.txt': 'text/plain; charset=utf-8',
  '.mjs': 'text/plain; charset=utf-8', // to be read, never run in a browser
  '.xml': 'application/xml; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
}

/** The text files name the site's own address. */
async function prepareRootFiles(
  files: SiteBundle['root'],
  publicUrl: string,
): Promise<Map<string, PreparedFile>> {
  const prepared = new Map<string, PreparedFile>()
  for (const [name, bytes] of Object.entries(files)) {
    const isText = !name.endsWith('.png')
    const stored = Buffer.from(bytes)
    const content = isText ? fillPlaceholders(stored.toString(), { publicUrl }) : stored
    const type = mediaTypes[extname(name)] ?? 'application/octet-stream'
    const headers = { 'content-type': type, 'cache-control': 'public, max-age=86400' }
    prepared.set(`/${name}`, await prepareFile(content, headers))
  }
  return prepared
}

import { join } from 'node:path'
import type { Content } from '#content/content.ts'
import type { Reader } from '#server/database/database.ts'
import type { RenderedMails } from '#site/bundle.ts'
import { readBuiltSite } from '#server/site/built-site.ts'
import { readBundle } from '#server/site/versions/bundles.ts'
import { readPublished } from '#server/site/versions/versions.ts'
import type { CommandContext } from '#owner/acts/command-context.ts'

/** The part of a site that mails are made from. */
export interface ServedMails {
  content: Content
  mails: RenderedMails
}

/** As a server of this database has it: what is published, else what the build made. */
export async function readServedMails(
  { folder }: Pick<CommandContext, 'folder'>,
  reader: Reader,
): Promise<ServedMails> {
  const published = await readPublished(reader)
  return published ? readBundle(reader, published.bundle) : readBuiltSite(join(folder, 'dist'))
}

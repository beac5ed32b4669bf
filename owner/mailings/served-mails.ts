import { join } from 'node:path'
import { type Content, defaultContent } from '#content/content.ts'
import type { KitRelease } from '#content/releases.ts'
import type { Reader } from '#server/database/database.ts'
import { openRenderer } from '#server/site/renderer-client.ts'
import type { RenderedMails } from '#site/rendered-site.ts'
import { readRenderedMails, readReleases } from '#server/site/site-files.ts'
import { readDrawnSite, readPublished } from '#server/site/versions.ts'
import type { CommandContext } from '#owner/acts/command-context.ts'

/** The part of a site that announcements are made from. */
export interface ServedMails {
  content: Content
  mails: RenderedMails
  /** The newest first. */
  releases: readonly KitRelease[]
}

/** As a server of this database has it: what is published, else what the build wrote. */
export async function readServedMails(
  context: Pick<CommandContext, 'folder' | 'renderer'>,
  reader: Reader,
): Promise<ServedMails> {
  const dist = join(context.folder, 'dist')
  const published = await readPublished(reader)
  if (!published) {
    const releases = readReleases(dist)
    return { content: defaultContent, mails: readRenderedMails(dist), releases }
  }
  const { source, drawn } = await readDrawnSite(reader, published)
  const renderer = context.renderer ?? openRenderer(dist)
  try {
    const { content, mails, releases } = await renderer.render(source, drawn)
    return { content, mails, releases }
  } finally {
    await renderer.close()
  }
}

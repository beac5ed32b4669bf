import { shownAddress } from '#contract/shown-address.ts'
import type { KitParts } from '#site/pages/request-values.ts'
import type { OwnSite } from '#site/rendered-site.ts'
import type { DrawnFiles, SiteSource } from '#site/source.ts'
import type { ServerContext } from '#server/start/context.ts'
import { placeholderValues } from '#server/http/pages.ts'
import { fillPlaceholders } from '#site/text/placeholders.ts'
import { previewMail } from '#owner/mail/preview-mail.ts'
import type { OwnerRequest } from '#owner/acts/desk-request.ts'

type ShownDocument =
  'page' | 'not-found' | 'note' | 'mail' | 'personal-page' | 'guide' | 'share-picture'
export const shownDocuments: readonly ShownDocument[] = [
  'page',
  'not-found',
  'note',
  'mail',
  'personal-page',
  'guide',
  'share-picture',
]

/** A document of the page, as it is to be shown. */
export interface Shown {
  what: ShownDocument
  /** The page of the guide, from 0. */
  page: number
}

/** The HTML that a visitor would get, or a document with the picture that they would get. */
export async function renderPreview(
  { server, ownerEmail }: Pick<OwnerRequest, 'server' | 'ownerEmail'>,
  source: SiteSource,
  { what, page }: Shown,
): Promise<string> {
  if (what === 'guide') return pictureDocument(await server.renderer.drawOne(source, what, page))
  if (what === 'share-picture') {
    return pictureDocument(await server.renderer.drawOne(source, 'sharePicture', 0))
  }
  if (what === 'note') return server.renderer.renderNotes(source, ownerEmail)
  const site = await server.renderer.render(source, await drawGuidePage(server, source))
  switch (what) {
    case 'page':
      return withPictures(fixedPage(server, site, 'landing'), site)
    case 'not-found':
      return withPictures(fixedPage(server, site, 'not-found'), site)
    case 'mail': {
      const mail = previewMail(site.mails.starter, server.config, ownerEmail)
      return mail.html
    }
    case 'personal-page':
      return withPictures(personalPage(server, site, ownerEmail), site)
  }
}

/** The picture of the owner's own guide that was drawn last. */
let guidePage: { guide: Uint8Array; picture: Uint8Array } | undefined

async function drawGuidePage(server: ServerContext, source: SiteSource): Promise<DrawnFiles> {
  const guide = source.files.guide?.bytes
  if (!guide) return {}
  if (guidePage?.guide !== guide) {
    guidePage = { guide, picture: await server.renderer.drawOne(source, 'guide', 0) }
  }
  return { guidePage: guidePage.picture }
}

/** Pictures that are not served before they are published go along. */
function withPictures(html: string, { root }: OwnSite): string {
  return html.replaceAll(/src="\/([\w.-]+)(?:\?[\w-]*)?"/g, (source, name: string) => {
    const bytes = root[name]
    if (!bytes) return source
    return `src="${asData(bytes, name.endsWith('.svg') ? 'image/svg+xml' : 'image/png')}"`
  })
}

function asData(bytes: Uint8Array, type: string): string {
  return `data:${type};base64,${Buffer.from(bytes).toString('base64')}`
}

function fixedPage({ config }: ServerContext, { pages }: OwnSite, name: string): string {
  return fillPlaceholders(pages[name] ?? '', placeholderValues(config))
}

/** As somebody gets it who signed up for the newest version. */
function personalPage(server: ServerContext, site: OwnSite, address: string): string {
  const token = 'preview'
  const part = `what-changed-${site.releases[0]?.version ?? ''}-off`
  const parts: KitParts = {
    whatChanged: fillPlaceholders(fixedPage(server, site, part), { token, since: '', wording: '' }),
    leaving: fillPlaceholders(fixedPage(server, site, 'leaving-listed'), { token }),
  }
  const values = { address: shownAddress(address), token, wording: '' }
  return fillPlaceholders(fixedPage(server, site, 'kit'), values, { ...parts })
}

function pictureDocument(picture: Uint8Array): string {
  const source = asData(picture, 'image/png')
  return `<!doctype html><html lang="en"><title>Picture</title><style>body{margin:0}img{display:block;width:100%}</style><body><img alt="" src="${source}"></body></html>`
}

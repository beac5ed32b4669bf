import type { KitVersion } from '#content/releases.ts'
import type { SiteBundle } from '#site/bundle.ts'
import type { SiteSource } from '#site/source.ts'
import { fillTemplates } from '#server/http/pages.ts'
import { noTestAddress } from '#server/test-address/state.ts'
import { privacyValues } from '#server/routes/privacy.ts'
import { kitPage, type KitPageOwner } from '#server/site/kit-page.ts'
import { withPublishedSender } from '#server/site/fill-site.ts'
import { wordingsOf } from '#server/subscribers/wordings.ts'
import { previewMail } from '#owner/mail/preview-mail.ts'
import type { OwnerRequest } from '#owner/acts/desk-request.ts'

type ShownDocument =
  'page' | 'not-found' | 'privacy' | 'note' | 'mail' | 'personal-page' | 'guide' | 'share-picture'
export const shownDocuments: readonly ShownDocument[] = [
  'page',
  'not-found',
  'privacy',
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

/**
 * The HTML that a visitor would get, with the path of each text, or a document with the picture
 * that they would get.
 */
export async function renderPreview(
  { server, ownerEmail }: Pick<OwnerRequest, 'server' | 'ownerEmail'>,
  source: SiteSource,
  { what, page }: Shown,
): Promise<string> {
  const { renderer, config } = server
  if (what === 'guide') return pictureDocument(await renderer.drawGuidePage(source, page))
  if (what === 'note') return renderer.makeNotes(source, ownerEmail)
  const bundle = await renderer.make(source, { isMarked: true })
  const { content, mails, root } = bundle
  const pages = fillTemplates(bundle.pages, withPublishedSender(config, content))
  switch (what) {
    case 'page':
      return withPictures(pages.page('landing', {}), root)
    case 'not-found':
      return withPictures(pages.page('not-found', {}), root)
    case 'privacy': {
      const values = privacyValues(content, config, server.database.leavesTraces())
      return withPictures(pages.page('privacy', values), root)
    }
    case 'mail': {
      const mail = previewMail(mails.starter, withPublishedSender(config, content), ownerEmail)
      return mail.html
    }
    case 'personal-page': {
      const { releases } = content
      const person = newcomer(ownerEmail, releases[0])
      const site = { content, releases, wordings: wordingsOf(content), pages }
      const html = kitPage(person, site, { state: noTestAddress, isPossible: true })
      return withPictures(html, root)
    }
    case 'share-picture':
      return pictureDocument(root['og.png']!) // every bundle has it
  }
}

/** Somebody who signs up now. */
function newcomer(address: string, kit: KitVersion | undefined): KitPageOwner {
  return {
    address,
    token: 'preview',
    state: 'active',
    announcements_agreed_at: null,
    version: kit?.version ?? null,
    version_date: kit?.date ?? null,
  }
}

/** Pictures go along: those of a draft are served nowhere. */
function withPictures(html: string, root: SiteBundle['root']): string {
  const pictures = /\b(src|srcset)="\/([\w.-]+)(?:\?[\w-]*)?"/gi
  return html.replaceAll(pictures, (source, attribute: string, name: string) => {
    const bytes = root[name]
    if (!bytes) return source
    return `${attribute}="${asData(bytes, name.endsWith('.svg') ? 'image/svg+xml' : 'image/png')}"`
  })
}

function asData(bytes: Uint8Array, type: string): string {
  return `data:${type};base64,${Buffer.from(bytes).toString('base64')}`
}

function pictureDocument(picture: Uint8Array): string {
  const source = asData(picture, 'image/png')
  return `<!doctype html><html lang="en"><title>Picture</title><style>body{margin:0}img{display:block;width:100%}</style><body><img alt="" src="${source}"></body></html>`
}

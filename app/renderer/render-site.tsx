import { createHash } from 'node:crypto'
import type { Content } from '#content/content.ts'
import type { KitRelease } from '#content/releases.ts'
import { asShown } from '#kit/as-shown.ts'
import { type KitContents, type KitFile, kitFiles, kitReleases } from '#kit/kit-files.ts'
import { renderAnnouncement } from '#mail/announcement.tsx'
import type { RenderedEmail } from '#mail/email-document.tsx'
import { type LetterFrame, renderLetter } from '#mail/letter.tsx'
import { renderStarterEmail } from '#mail/starter-email.tsx'
import type { OwnPictures } from '#pages/frame/own-pictures.ts'
import { type PageAssets, renderPages, renderParts } from '#pages/render-pages.tsx'

/** What a site is made from. */
export interface RenderSource {
  readonly content: Content
  /** The bytes of the two files that are given away. */
  readonly kit: KitContents
  /** Undefined: ours. */
  readonly pictures?: OwnPictures
}

/** A site as bytes. The {placeholders} of address, credential and recipient stay. */
export interface RenderedSite {
  readonly content: Content
  /** HTML of pages and of parts of pages, by name. */
  readonly pages: Readonly<Record<string, string>>
  readonly kit: readonly KitFile[]
  /** The versions of the kit, the newest first. */
  readonly releases: readonly KitRelease[]
  readonly mails: RenderedMails
  readonly inlineHashes: InlineHashes
}

export interface RenderedMails {
  readonly starter: RenderedEmail
  /** Null: the kit's version has no release notes. */
  readonly announcement: RenderedEmail | null
  readonly letter: LetterFrame
}

/** Of the inline styles and scripts of all pages, such as `sha256-…`: for the security policy. */
export interface InlineHashes {
  readonly styleHashes: readonly string[]
  readonly scriptHashes: readonly string[]
}

/** Pages, mails and the list of files, from content and files. It reads no source and no folder. */
export function renderSite(
  { content, kit, pictures = {} }: RenderSource,
  assets: PageAssets,
): RenderedSite {
  const script = asShown(kit['ema-crossover.pine'])
  const files = kitFiles(kit, content.kit)
  const releases = kitReleases(script, content.releases, content.kit.script.isYourOwn)
  const source = { content, script, files, releases, pictures }
  const pages = renderPages(source, assets)
  const html = Object.values(pages).join('\n')
  const [newest] = releases
  return {
    content,
    pages: { ...pages, ...renderParts(source) },
    kit: files,
    releases,
    mails: {
      starter: renderStarterEmail(content),
      announcement: newest ? renderAnnouncement(content, newest) : null,
      letter: renderLetter(content),
    },
    inlineHashes: {
      styleHashes: hashesOf('style', html),
      scriptHashes: hashesOf('script', html),
    },
  }
}

function hashesOf(tag: 'style' | 'script', html: string): string[] {
  // Data is no script.
  const elements = html.matchAll(
    new RegExp(`<${tag}(?! type="application)[^>]*>([^]*?)</${tag}>`, 'g'),
  )
  const inline = new Set([...elements].flatMap(([, code]) => code || []))
  return [...inline].map((code) => `sha256-${createHash('sha256').update(code).digest('base64')}`)
}

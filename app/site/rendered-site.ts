import type { Content } from '#content/content.ts'
import type { KitRelease } from '#content/releases.ts'
import type { KitContents, KitFile } from '#site/kit/kit-files.ts'
import type { RenderedEmail } from '#site/mail/email-document.tsx'
import type { LetterFrame } from '#site/mail/letter.tsx'
import type { OwnPictures } from '#site/pages/frame/own-pictures.ts'
import type { RootFiles } from './site-pictures.ts'

/** The content and files that a site is made from. */
export interface RenderSource {
  readonly content: Content
  /** The bytes of the two files that are given away. */
  readonly kit: KitContents
  /** Ours is shown if it is undefined. */
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

/** The mails, with {placeholders} for each recipient. */
export interface RenderedMails {
  readonly starter: RenderedEmail
  readonly letter: LetterFrame
  readonly versionLetter: RenderedEmail
}

/** Hashes of the inline styles and scripts of all pages, such as `sha256-…`, for their policy. */
export interface InlineHashes {
  readonly styleHashes: readonly string[]
  readonly scriptHashes: readonly string[]
}

/** A page of the owner's own as bytes. */
export interface OwnSite extends RenderedSite {
  /** The files at the site's root that are not as the build has them. */
  readonly root: RootFiles
}

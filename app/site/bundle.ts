import type { SiteContent } from '#site/site-content.ts'
import type { KitFile } from '#site/kit/kit-files.ts'
import type { RenderedEmail } from '#site/mail/email-document.tsx'
import type { LetterFrame } from '#site/mail/letter.tsx'
import type { PageName } from '#site/pages/page-table.ts'

/**
 * A site as bytes: all that visitors and subscribers get. The {placeholders} of address, credential
 * and recipient stay.
 */
export interface SiteBundle {
  /** The build whose code and styles its pages name. */
  readonly build: string
  readonly content: SiteContent
  /** HTML of pages and of parts of pages, by name. */
  readonly pages: Readonly<Record<string, string>>
  readonly mails: RenderedMails
  readonly inlineHashes: Readonly<Record<PageName, InlineHashes>>
  readonly kit: readonly KitFile[]
  /** The files at the site's root, by name. */
  readonly root: Readonly<Record<string, Uint8Array>>
}

/** The mails, with {placeholders} for each recipient. */
export interface RenderedMails {
  readonly starter: RenderedEmail
  readonly letter: LetterFrame
  readonly versionLetter: RenderedEmail
}

/** Hashes of the inline styles and scripts of a page, such as `sha256-…`, for its policy. */
export interface InlineHashes {
  readonly styleHashes: readonly string[]
  readonly scriptHashes: readonly string[]
}

/** A bundle as it is stored: its words in one text, and its files beside it, by name. */
export interface StoredBundle {
  /** JSON. */
  readonly text: string
  readonly files: Readonly<Record<string, Uint8Array>>
}

export function takeApart({ kit, root, ...words }: SiteBundle): StoredBundle {
  const kitFiles = kit.map(({ contents: _contents, ...file }) => file)
  const text = JSON.stringify({ ...words, kit: kitFiles, root: Object.keys(root) })
  const inKit = kit.map(({ name, contents }): [string, Uint8Array] => [`kit/${name}`, contents])
  const atRoot = Object.entries(root).map(([name, bytes]): [string, Uint8Array] => [
    `root/${name}`,
    bytes,
  ])
  return { text, files: Object.fromEntries([...inKit, ...atRoot]) }
}

/** `read`: the bytes of a file, by its name. */
export async function putTogether(
  text: string,
  read: (name: string) => Promise<Uint8Array>,
): Promise<SiteBundle> {
  const { kit, root, ...words }: BundleText = JSON.parse(text)
  const kitFiles = kit.map(async (file) => ({ ...file, contents: await read(`kit/${file.name}`) }))
  const rootFiles = root.map(async (name) => [name, await read(`root/${name}`)] as const)
  return {
    ...words,
    kit: await Promise.all(kitFiles),
    root: Object.fromEntries(await Promise.all(rootFiles)),
  }
}

/** As takeApart writes it. */
interface BundleText extends Omit<SiteBundle, 'kit' | 'root'> {
  readonly kit: readonly Omit<KitFile, 'contents'>[]
  readonly root: readonly string[]
}

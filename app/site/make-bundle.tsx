import { createHash } from 'node:crypto'
import { asShown } from '#site/kit/as-shown.ts'
import { kitFiles } from '#site/kit/kit-files.ts'
import { renderLetter } from '#site/mail/letter.tsx'
import { renderStarterEmail } from '#site/mail/starter-email.tsx'
import { renderVersionLetter } from '#site/mail/version-letter.tsx'
import { lengthWords } from '#site/pages/landing-page/try-lengths/try-lengths.tsx'
import type { PageName } from '#site/pages/page-table.ts'
import { renderPages, renderParts } from '#site/pages/render-pages.tsx'
import type { InlineHashes, SiteBundle } from './bundle.ts'
import { addressOf } from './files/address-of.ts'
import type { DrawnFiles } from './drawing/draw-site.ts'
import type { SiteAssets } from './site-assets.ts'
import { siteContent, type SiteContent } from './site-content.ts'
import { markTexts } from './words/text-marks.ts'
import { ownPictures, pagePictures } from './site-pictures.ts'
import type { MakeOptions } from './renderer-messages.ts'
import type { SiteSource } from './source.ts'

/**
 * Makes a site of its texts and files: the build makes that of the defaults, publishing the one
 * that is served, and a preview the one of the draft. Throws a ContentError, a sentence for the
 * owner, if the texts or files allow none.
 */
export async function makeBundle(
  source: SiteSource,
  assets: SiteAssets,
  { isMarked = false }: MakeOptions = {},
): Promise<SiteBundle> {
  const { files } = source
  const content = siteContent(source, assets.script)
  const script = files.script?.bytes ?? assets.script
  const drawn = await assets.drawing.draw(content, files, script)
  const kit = kitFiles({ script, guide: drawn.guide }, content.fileNames)
  const pictures = pagePictures(files, drawn)
  const words = isMarked ? markTexts(content) : content
  const lengths = lengthsFile(content)
  const shown = {
    content: words,
    script: asShown(script),
    files: kit,
    pictures,
    lengthsUrl: lengths?.url,
  }
  const pages = renderPages(shown, await assets.page)
  const bundle = {
    build: assets.build,
    content,
    pages: { ...pages, ...renderParts(words) },
    mails: renderMails(words),
    inlineHashes: inlineHashes(pages),
    kit,
    root: { ...assets.root, ...rootFiles(drawn), ...ownPictures(files), ...lengths?.files },
  }
  for (const [name, html] of Object.entries(bundle.pages)) {
    if (html === '') throw new Error(`The page or part "${name}" is empty`)
  }
  return bundle
}

function renderMails(content: SiteContent): SiteBundle['mails'] {
  return {
    starter: renderStarterEmail(content),
    letter: renderLetter(content),
    versionLetter: renderVersionLetter(content),
  }
}

/** The words for trying lengths, which the landing page fetches when its button is pressed. */
function lengthsFile(content: SiteContent) {
  if (!content.ourRun) return undefined
  const name = 'lengths.json'
  const bytes = Buffer.from(JSON.stringify(lengthWords(content)))
  return { url: addressOf(name, bytes), files: { [name]: bytes } }
}

function rootFiles(drawn: DrawnFiles): SiteBundle['root'] {
  return {
    'favicon.svg': drawn.favicon,
    'og.png': drawn.sharePicture,
    'icon-192.png': drawn.icon192,
    'apple-touch-icon.png': drawn.appleTouchIcon,
    'guide-page.png': drawn.guidePage,
  }
}

function inlineHashes(pages: Record<PageName, string>): SiteBundle['inlineHashes'] {
  const hashes = Object.entries(pages).map(([name, html]): [string, InlineHashes] => [
    name,
    { styleHashes: hashesOf('style', html), scriptHashes: hashesOf('script', html) },
  ])
  return Object.fromEntries(hashes) as SiteBundle['inlineHashes'] // the same names
}

function hashesOf(tag: 'style' | 'script', html: string): string[] {
  // Data is not a script.
  const elements = html.matchAll(
    new RegExp(`<${tag}(?! type="application)[^>]*>([^]*?)</${tag}>`, 'g'),
  )
  const inline = new Set([...elements].flatMap(([, code]) => code || []))
  return [...inline].map((code) => `sha256-${createHash('sha256').update(code).digest('base64')}`)
}

import { createHash } from 'node:crypto'
import { asShown } from '#site/kit/as-shown.ts'
import { kitFiles, kitReleases, scriptFile } from '#site/kit/kit-files.ts'
import { renderLetter } from '#site/mail/letter.tsx'
import { renderStarterEmail } from '#site/mail/starter-email.tsx'
import { renderVersionLetter } from '#site/mail/version-letter.tsx'
import type { PageAssets } from '#site/pages/page-assets.ts'
import { renderPages, renderParts } from '#site/pages/render-pages.tsx'
import type { RenderedSite, RenderSource } from './rendered-site.ts'

/** Pages, mails and the list of files, from content and files. It reads no source and no folder. */
export function renderSite(
  { content, kit, pictures = {} }: RenderSource,
  assets: PageAssets,
): RenderedSite {
  const script = asShown(kit[scriptFile])
  const files = kitFiles(kit, content.kit)
  const releases = kitReleases(script, content.releases, content.kit.script.isYourOwn)
  const source = { content, script, files, releases, pictures }
  const pages = renderPages(source, assets)
  const html = Object.values(pages).join('\n')
  return {
    content,
    pages: { ...pages, ...renderParts(source) },
    kit: files,
    releases,
    mails: {
      starter: renderStarterEmail(content),
      letter: renderLetter(content),
      versionLetter: renderVersionLetter(content),
    },
    inlineHashes: {
      styleHashes: hashesOf('style', html),
      scriptHashes: hashesOf('script', html),
    },
  }
}

function hashesOf(tag: 'style' | 'script', html: string): string[] {
  // Data is not a script.
  const elements = html.matchAll(
    new RegExp(`<${tag}(?! type="application)[^>]*>([^]*?)</${tag}>`, 'g'),
  )
  const inline = new Set([...elements].flatMap(([, code]) => code || []))
  return [...inline].map((code) => `sha256-${createHash('sha256').update(code).digest('base64')}`)
}

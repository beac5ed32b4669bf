import { createHash } from 'node:crypto'
import { type Content, defaultContent } from '#content/content.ts'
import { asShown, givenScriptFile, ownGuide } from '#kit/given-files.ts'
import { type KitContents, kitFiles, kitReleases } from '#kit/kit-files.ts'
import type { PageAssets } from '#pages/render-pages.tsx'
import { type FontFile, fontFaces } from '#pages/styles/style-for.ts'
import { readArtwork, staleArtwork, textFonts } from './share/artwork.ts'
import { rootFiles } from './share/root-files.ts'
import { bundleServer } from './bundle/server.ts'
import { bundleBrowserCode, bundleDesk } from './bundle/browser-code.ts'
import { type Documents, loadDocuments } from './load-documents.ts'
import { type Files, withCompressed } from './write-files.ts'

/** Makes every file of dist/ from the sources below `root`. */
export async function renderEverything(root: string): Promise<Files> {
  const stale = staleArtwork().join(', ')
  if (stale) {
    console.log(`The artwork is older than what it is drawn from (${stale}): run npm run artwork.`)
  }
  const { faces, files: fonts } = textFonts()
  const [{ startScript, modules, files }, desk, server, documents] = await Promise.all([
    bundleBrowserCode(root),
    makeDesk(root, faces),
    bundleServer(root),
    loadDocuments(root),
  ])
  return {
    ...renderDocuments(documents, defaultContent, { startScript, modules, fonts: faces }),
    ...inFolder('root', rootFiles()),
    ...inFolder('server', server),
    ...inFolder('assets', { ...withCompressed(files, 11), ...fonts }),
    ...inFolder('desk', desk),
  }
}

/** Pages, mails and the files that are given away. */
function renderDocuments(documents: Documents, content: Content, assets: PageAssets): Files {
  const contents = givenKit(content)
  const script = asShown(contents['ema-crossover.pine'])
  const files = kitFiles(contents, content.kit)
  const releases = kitReleases(script, content.releases, content.kit.script.isYourOwn)
  const source = { content, script, files, releases }
  const pages = documents.renderPages(source, assets)
  const html = Object.values(pages).join('\n')
  // For the content security policy: the hash of every inline style and script of the pages.
  const inlineHashes = {
    styleHashes: hashesOf('style', html),
    scriptHashes: hashesOf('script', html),
  }
  const [newest] = releases
  const announcement = newest ? documents.renderAnnouncement(content, newest) : null
  return {
    ...inFolder('pages', { ...pages, ...documents.renderParts(source) }, '.html'),
    ...inFolder('kit', contents),
    'email/starter-email.json': JSON.stringify(documents.renderStarterEmail(content)),
    'email/announcement.json': JSON.stringify(announcement),
    'email/letter.json': JSON.stringify(documents.renderLetter(content)),
    'kit/kit.json': JSON.stringify(files),
    'kit/releases.json': JSON.stringify(releases),
    'build.json': JSON.stringify(inlineHashes),
  }
}

/**
 * Compresses less, because only the owner loads it: the last tenth of its bytes would take a second
 * of the build.
 */
async function makeDesk(root: string, fonts: readonly FontFile[]): Promise<Files> {
  const { html, assets } = await bundleDesk(root, fontFaces(fonts))
  return {
    ...inFolder('assets', withCompressed(assets, 5)),
    'index.html': html,
  }
}

function inFolder(folder: string, files: Files, ending = ''): Files {
  return Object.fromEntries(
    Object.entries(files).map(([name, contents]) => [`${folder}/${name}${ending}`, contents]),
  )
}

/** The two files we give away. */
function givenKit({ kit }: Content): KitContents {
  return {
    'ema-crossover.pine': givenScriptFile(kit.script),
    'setup-guide.pdf': ownGuide(kit.guide) ?? readArtwork('setup-guide.pdf'),
  }
}

function hashesOf(tag: 'style' | 'script', html: string): string[] {
  // Data is no script.
  const elements = html.matchAll(
    new RegExp(`<${tag}(?! type="application)[^>]*>([^]*?)</${tag}>`, 'g'),
  )
  const inline = [...elements].flatMap(([, code]) => code || [])
  return [
    ...new Set(
      inline.map((code) => `sha256-${createHash('sha256').update(code).digest('base64')}`),
    ),
  ]
}

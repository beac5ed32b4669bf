import { createHash } from 'node:crypto'
import { givenScript, givenScriptFile, ownGuide } from '#kit/given-files.ts'
import { kitFiles, kitReleases } from '#kit/kit-files.ts'
import { type FontFile, fontFaces } from '#pages/styles/style-for.ts'
import { readArtwork, staleArtwork, textFonts } from './share/artwork.ts'
import { rootFiles } from './share/root-files.ts'
import { bundleServer } from './bundle/server.ts'
import { bundleBrowserCode, bundleDesk } from './bundle/browser-code.ts'
import { loadDocuments } from './load-documents.ts'
import { type Files, withCompressed } from './write-files.ts'

/** Makes every file of dist/ from the sources below `root`. */
export async function renderEverything(root: string): Promise<Files> {
  const stale = staleArtwork().join(', ')
  if (stale) {
    console.log(`The artwork is older than what it is drawn from (${stale}): run npm run artwork.`)
  }
  const { faces, files: fonts } = textFonts()
  const kit = givenKit()
  const [browserCode, desk, server, documents] = await Promise.all([
    bundleBrowserCode(root),
    makeDesk(root, faces),
    bundleServer(root),
    loadDocuments(root),
  ])
  const pages = documents.renderPages({ ...browserCode, fonts: faces, kit: kit.list })
  const parts = documents.renderParts(kit.releases)
  const starterEmail = documents.renderStarterEmail()
  const html = Object.values(pages).join('\n')
  // For the content security policy: the hash of every inline style and script of the pages.
  const inlineHashes = {
    styleHashes: hashesOf('style', html),
    scriptHashes: hashesOf('script', html),
  }
  const [newest] = kit.releases
  const announcement = newest ? documents.renderAnnouncement(newest) : null
  return {
    ...inFolder('pages', { ...pages, ...parts }, '.html'),
    ...inFolder('kit', kit.contents),
    ...inFolder('root', rootFiles()),
    ...inFolder('server', server),
    ...inFolder('assets', { ...withCompressed(browserCode.files, 11), ...fonts }),
    ...inFolder('desk', desk),
    'email/starter-email.json': JSON.stringify(starterEmail),
    'email/announcement.json': JSON.stringify(announcement),
    'email/letter.json': JSON.stringify(documents.renderLetter()),
    'kit/kit.json': JSON.stringify(kit.list),
    'kit/releases.json': JSON.stringify(kit.releases),
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

/** The two files we give away, and the list of them that the pages and the server show. */
function givenKit() {
  const contents = {
    'ema-crossover.pine': givenScriptFile(),
    'setup-guide.pdf': ownGuide() ?? readArtwork('setup-guide.pdf'),
  }
  return { list: kitFiles(contents), releases: kitReleases(givenScript()), contents }
}

function hashesOf(tag: 'style' | 'script', html: string): string[] {
  const elements = html.matchAll(new RegExp(`<${tag}[^>]*>([^]*?)</${tag}>`, 'g'))
  const inline = [...elements].flatMap(([, code]) => code || [])
  return [
    ...new Set(
      inline.map((code) => `sha256-${createHash('sha256').update(code).digest('base64')}`),
    ),
  ]
}

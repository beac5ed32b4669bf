import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { givenScript, givenScriptFile, ownGuide } from '#kit/given-files.ts'
import { kitFiles, kitReleases } from '#kit/kit-files.ts'
import { styleFor } from '#pages/styles/style-for.ts'
import { makeTextFont, readTextFontLicence } from './fonts/text-font.ts'
import { makeShareFiles } from './share/share-files.ts'
import { bundleBrowserCode, bundleDesk } from './bundle-browser-code.ts'
import { inlineHashes } from './inline-hashes.ts'
import { isDeskInstalled } from './inputs.ts'
import { loadDocuments } from './load-documents.ts'
import { type Files, withCompressed, writeFiles } from './write-files.ts'

/** Builds everything that the server serves from the sources below `root`, into the folder `dist`. */
export async function renderEverything(root: string, dist: string): Promise<void> {
  const font = makeFont()
  const [bundle, desk, { name: fontName, bytes }, documents, kit, share] = await Promise.all([
    makeBrowserCode(root),
    {},
    font,
    loadDocuments(root),
    makeKit(),
    makeShareFiles(),
  ])
  const pages = documents.renderPages({
    startScript: bundle.startScript,
    modules: bundle.modules,
    font: `/assets/${fontName}`,
    kit: kit.list,
  })
  const parts = documents.renderWhatChanged(kit.releases)
  const starterEmail = documents.renderStarterEmail()
  const [newest] = kit.releases
  const announcement = newest ? documents.renderAnnouncement(newest) : null
  await writeFiles(dist, {
    ...inFolder('pages', { ...pages, ...parts }, '.html'),
    ...inFolder('kit', kit.contents),
    ...inFolder('root', { ...share, 'besley-licence.txt': await readTextFontLicence() }),
    ...inFolder('assets', { ...bundle.files, [fontName]: bytes }),
    ...inFolder('desk', desk),
    'email/starter-email.json': JSON.stringify(starterEmail),
    'email/announcement.json': JSON.stringify(announcement),
    'kit/kit.json': JSON.stringify(kit.list),
    'kit/releases.json': JSON.stringify(kit.releases),
    'build.json': JSON.stringify(inlineHashes(Object.values(pages))),
  })
}

async function makeFont() {
  const bytes = await makeTextFont()
  return { bytes, name: `besley-${createHash('sha256').update(bytes).digest('base64url').slice(0, 8)}.woff2` }
}

/** Compressed as soon as it is bundled, while the guide is still being set. */
async function makeBrowserCode(root: string) {
  const { files, ...bundle } = await bundleBrowserCode(root)
  return { ...bundle, files: await withCompressed(files) }
}

/** Compresses less, because only the owner loads it: the last tenth of its bytes would take a second of the build. */
async function makeDesk(root: string, fontName: string): Promise<Files> {
  const { html, assets } = await bundleDesk(
    root,
    styleFor(['ui/text-field', 'ui/toaster'], `/assets/${fontName}`),
  )
  return {
    ...inFolder('assets', await withCompressed(assets)),
    'index.html': html,
    'build.json': JSON.stringify(inlineHashes([html])),
  }
}

function inFolder(folder: string, files: Files, ending = ''): Files {
  return Object.fromEntries(
    Object.entries(files).map(([name, contents]) => [`${folder}/${name}${ending}`, contents]),
  )
}

/** The two files we give away, and the list of them that the pages and the server show. */
async function makeKit() {
  const releases = kitReleases(givenScript())
  const contents: Record<string, Uint8Array> = {
    'ema-crossover.pine': givenScriptFile(),
    'setup-guide.pdf': ownGuide() ?? (await makeGuideInThread()),
  }
  return { list: kitFiles(contents), releases, contents }
}

/** Typst takes about a second. The bundler works at the same time. */
async function makeGuideInThread(): Promise<Uint8Array> {
  const thread = new Worker(new URL('setup-guide-thread.ts', import.meta.url))
  const [guide]: Uint8Array[] = await once(thread, 'message')
  if (!guide) throw new Error('The thread sent no guide')
  return guide
}

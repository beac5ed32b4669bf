import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { styleFor } from '#pages/styles/style-for.ts'
import { makeTextFont, readTextFontLicence } from './fonts/text-font.ts'
import { makeShareFiles } from './share/share-files.ts'
import { bundleBrowserCode, bundleDesk } from './bundle-browser-code.ts'
import { inlineHashes } from './inline-hashes.ts'
import { loadDocuments } from './load-documents.ts'
import { makeKit } from './make-kit.ts'
import { packPackages } from './release/bundle-for-node.ts'
import { writeCompressedFiles, writeFiles } from './write-files.ts'

/** Makes everything the server hands out from the sources below `root`, into the folder `dist`. */
export async function renderEverything(root: string, dist: string): Promise<void> {
  const [bundle, packages, font, documents, kit, share] = await Promise.all([
    bundleBrowserCode(root),
    packPackages(root),
    makeTextFont(),
    loadDocuments(root),
    makeKit(),
    makeShareFiles(),
  ])
  const fontName = `besley-${createHash('sha256').update(font).digest('base64url').slice(0, 8)}.woff2`
  const pages = documents.renderPages({
    startScript: bundle.startScript,
    modules: bundle.modules,
    font: `/assets/${fontName}`,
    kit: kit.list,
  })
  const parts = documents.renderWhatChanged(kit.releases)
  const desk = await bundleDesk(root, styleFor(['ui/text-field'], `/assets/${fontName}`))
  const starterEmail = await documents.renderStarterEmail()
  const [newest] = kit.releases
  const announcement = newest ? await documents.renderAnnouncement(newest) : null
  const lists = asJsonFiles({ kit: kit.list, releases: kit.releases })
  await Promise.all([
    writeFiles(join(dist, 'pages'), asHtmlFiles({ ...pages, ...parts })),
    writeFiles(join(dist, 'email'), asJsonFiles({ 'starter-email': starterEmail, announcement })),
    writeFiles(join(dist, 'kit'), { ...kit.contents, ...lists }),
    writeCompressedFiles(join(dist, 'assets'), { ...bundle.files, [fontName]: font }),
    writeFiles(join(dist, 'root'), { ...share, 'besley-licence.txt': await readTextFontLicence() }),
    writeFiles(join(dist, 'packages'), packages),
    writeCompressedFiles(join(dist, 'desk/assets'), desk.assets),
    writeFiles(join(dist, 'desk'), {
      'index.html': desk.html,
      ...asJsonFiles({ build: inlineHashes([desk.html]) }),
    }),
    writeFiles(dist, asJsonFiles({ build: inlineHashes(Object.values(pages)) })),
  ])
}

function asJsonFiles(values: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [`${name}.json`, JSON.stringify(value)]),
  )
}

function asHtmlFiles(pages: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(pages).map(([name, html]) => [`${name}.html`, html]))
}

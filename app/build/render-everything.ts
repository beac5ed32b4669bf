import { type FontFile, fontFaces } from '#site/pages/styles/style-for.ts'
import { takeApart } from '#site/bundle.ts'
import { openDrawing } from '#site/drawing/draw-site.ts'
import type { PageAssets } from '#site/pages/page-assets.ts'
import { defaultSource } from '#site/source.ts'
import {
  drawingFiles,
  drawingFilesOfBuild,
  ourScript,
  rootFiles,
  textFonts,
} from './share/artwork.ts'
import { bundleServer } from './bundle/server.ts'
import { type BrowserCode, bundleBrowserCode, bundleDesk } from './bundle/browser-code.ts'
import { bundlePageStyles } from './bundle/page-styles.ts'
import { loadRenderer } from './load-renderer.ts'
import { type Files, withCompressed } from './write-files.ts'

/** Makes every file of dist/ from the sources below `root`. `build`: its name. */
export async function renderEverything(root: string, build: string): Promise<Files> {
  const { faces: fonts, files: fontFiles } = textFonts()
  const code = bundleBrowserCode(root)
  const page = makePageAssets(code, bundlePageStyles(root), fonts)
  const [{ files }, site, desk, server] = await Promise.all([
    code,
    makeDefaults(root, build, page),
    makeDesk(root, fonts),
    bundleServer(root),
  ])
  return {
    ...inFolder('site', site),
    'renderer/assets.json': JSON.stringify({ build, page: await page }),
    'renderer/script.pine': ourScript(),
    ...inFolder('renderer/root', rootFiles()),
    ...inFolder('renderer', drawingFilesOfBuild()),
    ...inFolder('server', server),
    ...inFolder('assets', { ...withCompressed(files, 11), ...fontFiles }),
    ...inFolder('desk', desk),
  }
}

async function makePageAssets(
  code: Promise<BrowserCode>,
  styles: Promise<PageAssets['styles']>,
  fonts: readonly FontFile[],
): Promise<PageAssets> {
  const { startScript, modules } = await code
  return { startScript, modules, fonts, styles: await styles }
}

/** The site of the defaults. Its guide and pictures are drawn while the bundler works. */
async function makeDefaults(
  root: string,
  build: string,
  page: Promise<PageAssets>,
): Promise<Files> {
  const { makeBundle } = await loadRenderer(root)
  const drawing = openDrawing(drawingFiles())
  const assets = { build, page, script: ourScript(), root: rootFiles(), drawing }
  const { text, files } = takeApart(await makeBundle(defaultSource, assets))
  return { 'bundle.json': text, ...files }
}

/**
 * Compresses it less than the pages, because only the owner loads it: the last tenth of its bytes
 * would take a second of the build.
 */
async function makeDesk(root: string, fonts: readonly FontFile[]): Promise<Files> {
  const { html, assets } = await bundleDesk(root, fontFaces(fonts))
  return {
    ...inFolder('assets', withCompressed(assets, 5)),
    'index.html': html,
  }
}

function inFolder(folder: string, files: Files): Files {
  return Object.fromEntries(
    Object.entries(files).map(([name, contents]) => [`${folder}/${name}`, contents]),
  )
}

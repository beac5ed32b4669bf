import { type Content, defaultContent } from '#content/content.ts'
import { givenScriptFile, ownGuide } from '#site/kit/given-files.ts'
import { guideFile, type KitContents, scriptFile } from '#site/kit/kit-files.ts'
import { type FontFile, fontFaces } from '#site/pages/styles/style-for.ts'
import type { RenderedSite } from '#site/rendered-site.ts'
import { drawingFiles, readArtwork, staleArtwork, textFonts } from './share/artwork.ts'
import { rootFiles } from './share/root-files.ts'
import { bundleServer } from './bundle/server.ts'
import { bundleBrowserCode, bundleDesk } from './bundle/browser-code.ts'
import { bundlePageStyles } from './bundle/page-styles.ts'
import { loadRenderer } from './load-renderer.ts'
import { type Files, withCompressed } from './write-files.ts'

/** Makes every file of dist/ from the sources below `root`. */
export async function renderEverything(root: string): Promise<Files> {
  const stale = staleArtwork()
  if (stale.length > 0) {
    const sources = stale.join(', ')
    console.log(
      `The artwork is older than what it is drawn from (${sources}): run npm run artwork.`,
    )
  }
  const { faces: fonts, files: fontFiles } = textFonts()
  const [{ startScript, modules, files }, styles, desk, server, { renderSite }] = await Promise.all(
    [
      bundleBrowserCode(root),
      bundlePageStyles(root),
      makeDesk(root, fonts),
      bundleServer(root),
      loadRenderer(root),
    ],
  )
  const assets = { startScript, modules, fonts, styles }
  const kit = givenKit(defaultContent)
  return {
    ...filesOf(renderSite({ content: defaultContent, kit }, assets)),
    ...inFolder('kit', kit),
    'renderer/assets.json': JSON.stringify(assets),
    ...inFolder('renderer', drawingFiles()),
    'renderer/stale-artwork.json': JSON.stringify(stale),
    ...inFolder('root', rootFiles()),
    ...inFolder('server', server),
    ...inFolder('assets', { ...withCompressed(files, 11), ...fontFiles }),
    ...inFolder('desk', desk),
  }
}

/** Pages, mails, and the list of the files that are given away. */
function filesOf({ pages, mails, kit, releases, inlineHashes }: RenderedSite): Files {
  return {
    ...inFolder('pages', pages, '.html'),
    'email/starter-email.json': JSON.stringify(mails.starter),
    'email/version-letter.json': JSON.stringify(mails.versionLetter),
    'email/letter.json': JSON.stringify(mails.letter),
    'kit/kit.json': JSON.stringify(kit),
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
    [scriptFile]: givenScriptFile(kit.script),
    [guideFile]: ownGuide(kit.guide) ?? readArtwork(guideFile),
  }
}

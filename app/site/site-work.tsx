import { renderNotes } from '#site/pages/render-pages.tsx'
import { readOwnFiles } from './files/own-file.ts'
import { makeBundle } from './make-bundle.tsx'
import type { SiteAssets } from './site-assets.ts'
import { siteContent } from './site-content.ts'
import { markTexts } from './words/text-marks.ts'
import { defaultSource } from './source.ts'
import type { SiteWork } from './renderer-messages.ts'

export function createSiteWork(assets: SiteAssets): SiteWork {
  const { script, page, drawing } = assets
  let warmed: Promise<unknown> | undefined
  return {
    async readFiles(given) {
      const read = readOwnFiles(given)
      await drawing.tryFiles(read.files)
      return read
    },
    make: (source, options) => makeBundle(source, assets, options),
    async makeNotes(source, address) {
      return renderNotes(markTexts(siteContent(source, script)), await page, address)
    },
    async drawGuidePage(source, number) {
      const content = siteContent(source, script)
      const { files } = source
      return drawing.page(
        await drawing.guide(content, files, files.script?.bytes ?? script),
        number,
      )
    },
    warm: async () => void (await (warmed ??= makeBundle(defaultSource, assets))),
  }
}

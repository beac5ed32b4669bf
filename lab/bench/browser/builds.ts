import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compress } from '#server/http/compress.ts'
import { loadStaticFiles } from '#server/http/load-static-files.ts'
import { fillPlaceholders } from '#server/http/pages.ts'
import { makeStaticFile } from '#server/http/static-files.ts'
import { root } from '#rigs/product.ts'
import { usualEntry } from './usual-build/entry.ts'
import { bundleClientRendered, type Entry, plainEntry } from './client-rendered/bundle.ts'
import type { Files } from './serve-files.ts'

const publicUrl = 'http://localhost'
const values = {
  publicUrl,
  functionsUrl: '/functions/v1',
  anonKey: 'key',
  supportEmail: 'help@example.com',
  resendAfterSeconds: '900',
  mailsADay: 'three emails',
}

export interface Builds {
  ours: Files
  noScript: Files
  clientRendered: Files
  usual: Files | { why: string }
}

/** The landing page as it is, without any script, and rendered by the browser alone: plainly, and in the usual way. */
export async function makeBuilds(progress: (line: string) => void): Promise<Builds> {
  const { files, ...landing } = await landingBuilds()
  const usual = usualEntry(progress)
  return {
    ...landing,
    clientRendered: await clientRendered(files, plainEntry),
    usual: 'why' in usual ? usual : await clientRendered(files, usual),
  }
}

/** The page, and the same HTML without its script: nothing then puts the font to use either. */
export async function landingBuilds(): Promise<Pick<Builds, 'ours' | 'noScript'> & { files: Files }> {
  const dist = join(root, 'dist')
  const files = await loadStaticFiles(dist, publicUrl)
  const html = fillPlaceholders(readFileSync(join(dist, 'pages/landing.html'), 'utf8'), values)
  return {
    files,
    ours: new Map([...files, ['/', await file('text/html; charset=utf-8', html)]]),
    noScript: new Map([...files, ['/', await file('text/html; charset=utf-8', withoutScripts(html))]]),
  }
}

async function clientRendered(files: Files, entry: Entry): Promise<Files> {
  const font = [...files.keys()].find((path) => path.endsWith('.woff2')) ?? ''
  const { html, stylePath, style, scriptPath, script } = await bundleClientRendered(root, font, values, entry)
  return new Map([
    ...files,
    ['/', await file('text/html; charset=utf-8', html)],
    [stylePath, await file('text/css; charset=utf-8', style)],
    [scriptPath, await file('text/javascript; charset=utf-8', script)],
  ])
}

/** Data (JSON-LD) stays: no browser runs it. */
function withoutScripts(html: string): string {
  const without = html.replaceAll(/<script data-modules[^>]*>[^]*?<\/script>/g, '')
  if (without === html) throw new Error('The page has no script to take out')
  return without
}

async function file(mediaType: string, text: string) {
  const bytes = Buffer.from(text)
  return makeStaticFile(bytes, await compress(bytes), { 'content-type': mediaType })
}

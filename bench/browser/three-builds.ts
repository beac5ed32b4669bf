import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compress } from '#server/compress.ts'
import { loadStaticFiles } from '#server/load-static-files.ts'
import { fillPlaceholders } from '#server/pages.ts'
import { makeStaticFile } from '#server/static-files.ts'
import { root } from '../product.ts'
import { bundleClientRendered } from './client-rendered/bundle.ts'
import type { Files } from './serve-files.ts'

const publicUrl = 'http://localhost'
const values = {
  publicUrl,
  anonKey: 'key',
  supportEmail: 'help@example.com',
  resendAfterSeconds: '900',
}

/** The landing page three times: as it is, without any script, and rendered by the browser alone. */
export async function makeThreeBuilds(): Promise<Record<'ours' | 'noScript' | 'clientRendered', Files>> {
  const dist = join(root, 'dist')
  const files = await loadStaticFiles(dist, publicUrl)
  const html = fillPlaceholders(readFileSync(join(dist, 'pages/landing.html'), 'utf8'), values)
  const font = [...files.keys()].find((path) => path.endsWith('.woff2')) ?? ''
  const bundle = await bundleClientRendered(root, font, values)
  return {
    ours: new Map([...files, ['/', await file('text/html; charset=utf-8', html)]]),
    noScript: new Map([...files, ['/', await file('text/html; charset=utf-8', withoutScripts(html))]]),
    clientRendered: new Map([
      ...files,
      ['/', await file('text/html; charset=utf-8', bundle.html)],
      [bundle.stylePath, await file('text/css; charset=utf-8', bundle.style)],
      [bundle.scriptPath, await file('text/javascript; charset=utf-8', bundle.script)],
    ]),
  }
}

/** Data (JSON-LD) stays: no browser runs it. */
function withoutScripts(html: string): string {
  const without = html
    .replaceAll(/<script type="module"[^>]*><\/script>/g, '')
    .replaceAll(/<link rel="modulepreload"[^>]*>/g, '')
  if (without === html) throw new Error('The page has no script to take out')
  return without
}

async function file(mediaType: string, text: string) {
  const bytes = Buffer.from(text)
  return makeStaticFile(bytes, await compress(bytes), { 'content-type': mediaType })
}

import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { listenHere } from '#rigs/listening.ts'
import { root } from '#rigs/product.ts'
import { readConfig } from '#server/configuration/config.ts'
import { compress } from '#server/http/compress.ts'
import { loadStaticFiles } from '#server/http/load-static-files.ts'
import { fillPlaceholders, placeholderValues } from '#server/http/pages.ts'
import { answerStaticFile, makeStaticFile } from '#server/http/static-files.ts'

/**
 * Serves the landing page as it is built, and the same HTML without its script (then nothing uses the font either), from one
 * plain server.
 */
export async function serveLandingPages() {
  const dist = join(root, 'dist')
  const read = readConfig({})
  if ('faults' in read) throw new Error(read.faults.join('\n'))
  const page = readFileSync(join(dist, 'pages/landing.html'), 'utf8')
  const html = fillPlaceholders(page, placeholderValues(read.config))
  // Data (JSON-LD) stays: no browser runs it.
  const withoutScript = html.replaceAll(/<script data-modules[^>]*>[^]*?<\/script>/g, '')
  if (withoutScript === html) throw new Error('The page has no script to take out')
  const files = new Map(await loadStaticFiles(dist, read.config.publicUrl))
  for (const [path, text] of [
    ['/', html],
    ['/no-script', withoutScript],
  ] as const) {
    const bytes = Buffer.from(text)
    files.set(
      path,
      makeStaticFile(bytes, await compress(bytes), { 'content-type': 'text/html; charset=utf-8' }),
    )
  }
  const server = createServer((request, response) => {
    const file = files.get(request.url ?? '')
    if (!file) return void response.writeHead(404).end()
    const { status, headers, body } = answerStaticFile(request, file)
    response.writeHead(status, headers).end(body)
  })
  const url = `http://localhost:${await listenHere(server, 0, 'localhost')}`
  return {
    ours: `${url}/`,
    noScript: `${url}/no-script`,
    [Symbol.dispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

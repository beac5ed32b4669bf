import { spawn } from 'node:child_process'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { createServer, type Plugin, type ViteDevServer } from 'vite'
import { buildIfStale } from '#build/build-if-stale.ts'
import { bundleStartScript } from '#build/bundle/browser-code.ts'
import { bundlePageStyles } from '#build/bundle/page-styles.ts'
import { drawingFiles, ourScript, rootFiles, textFonts } from '#build/share/artwork.ts'
import { loadRenderer } from '#build/load-renderer.ts'
import { openDrawing } from '#site/drawing/draw-site.ts'
import { byModule } from '#site/pages/page-table.ts'
import { defaultSource } from '#site/source.ts'
import { readSettings } from '#server/settings/config.ts'
import { fillTemplates } from '#server/http/pages.ts'
import { freePort } from './rigs/listening.ts'

// `npm run dev`: Vite shows the landing page and the 404 page from their sources and reloads them
// when one changes; everything else (the function, personal pages, the desk, the inbox) comes from
// the product's own server behind it.
const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')
const read = readSettings(process.env)
if ('faults' in read) throw new Error(read.faults.join('\n'))
const { config } = read
const pathsOfServer = String.raw`^/((functions|receipts|alerts|kit|pictures|hooks|doctor|dev|assets)/|(desk|privacy|healthz|readyz|metrics)\b|[\w-]+\.(svg|png|txt|mjs|xml|json)$)`

await buildIfStale()
const serverPort = await freePort()
startServer()
const vite = await createServer({
  root,
  plugins: [pagesFromSources()],
  server: {
    host: config.host,
    port: config.port,
    strictPort: true,
    cors: false,
    fs: { deny: privateFiles() },
    // An object, unlike a string, keeps the Host.
    proxy: { [pathsOfServer]: { target: `http://${config.host}:${serverPort}` } },
  },
})
await vite.listen()
console.log(`Changes show at ${config.publicUrl}`)

function startServer(): void {
  const env = {
    ...process.env,
    PORT: String(serverPort),
    PUBLIC_URL: config.publicUrl, // of Vite's port, where the page is
  }
  const child = spawn(process.execPath, [join(dist, 'server/server.mjs')], {
    cwd: root,
    stdio: 'inherit',
    env,
  })
  child.on('exit', (code) => process.exit(code ?? 0))
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => child.kill(signal))
  }
}

/** Vite's own list, which this option replaces, and where subscribers' data may be. */
function privateFiles(): string[] {
  const base = root.replaceAll('\\', '/')
  const ofVite = ['.env', '.env.*', '*.{crt,pem,key}', '**/.git/**']
  return [...ofVite, `${base}/data/**`, `${base}/backups/**`, '*.db*', '*.csv']
}

/** Most of a page runs no script in the browser, so every change reloads the page. */
function pagesFromSources(): Plugin {
  return {
    name: 'pages-from-sources',
    handleHotUpdate({ server }) {
      server.ws.send({ type: 'full-reload' })
      return []
    },
    configureServer(server) {
      return () => {
        server.middlewares.use(async (request, response, next) => {
          try {
            await sendPage(server, request, response)
          } catch (fault) {
            next(fault) // Vite shows it in the browser
          }
        })
      }
    },
  }
}

const drawing = openDrawing(drawingFiles())

async function sendPage(server: ViteDevServer, request: IncomingMessage, response: ServerResponse) {
  const path = request.url ?? '/'
  const { makeBundle } = await loadRenderer(root)
  const page = {
    startScript: await bundleStartScript(root),
    modules: byModule(({ script }) => [`/${script}`]),
    fonts: textFonts().faces,
    styles: await bundlePageStyles(root),
  }
  const assets = { build: 'dev', page, script: ourScript(), root: rootFiles(), drawing }
  const { pages } = await makeBundle(defaultSource, assets)
  const isLanding = /^\/(\?|$)/.test(path)
  const html = fillTemplates(pages, config).page(isLanding ? 'landing' : 'not-found', {})
  response.writeHead(isLanding ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' })
  response.end(await server.transformIndexHtml(path, html))
}

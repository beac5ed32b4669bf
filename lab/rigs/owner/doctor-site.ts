import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request as ask, type RequestListener } from 'node:http'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { loadKitDownloads } from '#server/http/load-static-files.ts'
import { makeStaticFile } from '#server/http/static-files.ts'
import { listenHere } from '../listening.ts'
import { stubPages, testApp } from '../server/test-app.ts'
import { temporaryFolder } from '../temporary-folder.ts'

export interface ProxyAnswer {
  /** 0: it hangs up. */
  status: number
  headers?: Record<string, string>
  body?: string
}

/** The answer of a proxy in front of the site; undefined: it passes the request on. */
type Proxy = (request: IncomingMessage) => ProxyAnswer | undefined

const image: ProxyAnswer = { status: 200, headers: { 'content-type': 'image/png' }, body: 'a picture' }

/** The running product behind a proxy, with a folder that holds what it was built from. */
export async function startDoctorSite(proxy: Proxy = () => undefined) {
  const folder = makeProjectFolder()
  let behind = ''
  const url = await startHttp((request, response) => {
    const own = proxy(request) ?? (request.url === '/og.png' ? image : undefined)
    if (own?.status === 0) request.socket.destroy()
    else if (own) response.writeHead(own.status, own.headers).end(own.body)
    else {
      const passed = ask(`${behind}${request.url}`, { method: request.method ?? 'GET' })
      passed.on('response', (answer) =>
        answer.pipe(response.writeHead(answer.statusCode ?? 502, answer.headers)),
      )
      request.pipe(passed)
    }
  })
  const landing = `<meta property="og:image" content="${url}/og.png"/><div id="app" data-page="landing"></div>`
  const pages = { ...stubPages(), landing: page(landing) }
  const downloads = loadKitDownloads(join(folder, 'dist'))
  const { url: ownUrl, database, databaseUrl } = await testApp({ parts: { pages, downloads } })
  behind = ownUrl
  return { url, folder, database, databaseUrl, environment: { DATABASE_URL: databaseUrl, PUBLIC_URL: url } }
}

/** A server of this machine, stopped when the running test ends. */
export async function startHttp(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${await listenHere(server)}`
}

/** content/ and dist/ in small; `kit` and `brand` as text. */
export function makeProjectFolder({
  script = scriptOf('1.2.3'),
  guide = guideOf('1.2.3'),
  brand = '',
} = {}): string {
  const folder = temporaryFolder()
  for (const name of ['content', 'dist/kit', 'dist/email']) mkdirSync(join(folder, name), { recursive: true })
  const kit = Object.entries({ 'ema-crossover.pine': script, 'setup-guide.pdf': guide }).map(
    ([name, text]) => {
      writeFileSync(join(folder, 'dist/kit', name), text)
      const sha256 = createHash('sha256').update(text).digest('hex')
      return { name, savedAs: name, mediaType: 'text/plain', version: '1.2.3', sha256, bytes: text.length }
    },
  )
  writeFileSync(join(folder, 'dist/kit/kit.json'), JSON.stringify(kit))
  const mail = { subject: 'Your bot', html: '<p>{{scriptUrl}}</p>', text: '{{scriptUrl}}' }
  writeFileSync(join(folder, 'dist/email/starter-email.json'), JSON.stringify(mail))
  writeFileSync(join(folder, 'content/brand.ts'), brand)
  return folder
}

export function scriptOf(version: string): string {
  return `//@version=6\n// A script\n// Version ${version}, 2026-01-02. MIT\n`
}

export function guideOf(version: string): string {
  return `%PDF-1.7\n(Bot: Setup guide, version ${version})\n`
}

function page(html: string) {
  return makeStaticFile(Buffer.from(html), new Map(), { 'content-type': 'text/html' })
}

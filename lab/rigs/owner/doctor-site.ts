import { mkdirSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request as ask } from 'node:http'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { ownerExtension } from '#owner/start/extension.ts'
import { serveHttp } from '../listening.ts'
import { writeStubSite } from '../server/stub-pages.ts'
import { testApp } from '../server/test-app.ts'
import { temporaryFolder } from '../temporary-folder.ts'

export interface ProxyAnswer {
  status: number
  headers?: Record<string, string>
  body?: string
}

/** The answer of a proxy in front of the site; undefined: it passes the request on. */
type Proxy = (request: IncomingMessage) => ProxyAnswer | undefined

const image: ProxyAnswer = {
  status: 200,
  headers: { 'content-type': 'image/png' },
  body: 'a picture',
}

/**
 * The running product behind a proxy, which adds a hop to X-Forwarded-For if `client` is the
 * address of one.
 */
export async function startDoctorSite(
  proxy: Proxy = () => undefined,
  { client = '', trustedProxies = 0 } = {},
) {
  let behind = ''
  const { url, close } = await serveHttp((request, response) => {
    const own = proxy(request) ?? (request.url === '/og.png' ? image : undefined)
    if (own) response.writeHead(own.status, own.headers).end(own.body)
    else {
      const headers = { ...request.headers, ...(client !== '' && { 'x-forwarded-for': client }) }
      const passed = ask(`${behind}${request.url}`, { method: request.method ?? 'GET', headers })
      passed.on('response', (answer) =>
        answer.pipe(response.writeHead(answer.statusCode ?? 502, answer.headers)),
      )
      request.pipe(passed)
    }
  })
  onTestFinished(close)
  const landing = `<meta property="og:image" content="${url}/og.png"/><div id="app" data-page="landing"></div>`
  const { url: ownUrl, databaseUrl } = await testApp({
    extension: ownerExtension,
    config: { trustedProxies },
    built: { pages: { landing } },
  })
  behind = ownUrl
  const environment = {
    DATABASE_URL: databaseUrl,
    PUBLIC_URL: url,
    TRUST_PROXY: String(trustedProxies),
  }
  return { behind, folder: makeProjectFolder(), environment }
}

/** content/ and dist/ in small; `brand` as text. */
export function makeProjectFolder({ brand = '' } = {}): string {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'content'))
  writeFileSync(join(folder, 'content/brand.ts'), brand)
  writeStubSite(join(folder, 'dist'))
  return folder
}

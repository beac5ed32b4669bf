import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { freePort, untilListening } from '../rigs/listening.ts'
import { selfSignedCertificate } from '../rigs/mail/self-signed-certificate.ts'
import { root } from '../rigs/product.ts'
import { toolsPath } from './installed.ts'

/** The name that the shipped files use. */
export const proxiedHost = 'starter.example.com'

export type ProxyName = 'nginx' | 'Caddy'

interface Place {
  folder: string
  productPorts: readonly number[]
  httpsPort: number
  httpPort: number
}

interface ProxyRequest {
  method?: string
  headers?: Record<string, string>
}

interface ProxyAnswer {
  status: number
  text: string
  cookies: string[]
}

export interface ShippedProxy {
  /** As a browser that reaches the host by its name. */
  send(path: string, options?: ProxyRequest, body?: string): Promise<ProxyAnswer>
  /** All of its logs. */
  readLogs(): string
  /** Ends it and deletes its logs. */
  stop(): Promise<void>
}

const programs = {
  nginx: { command: 'nginx', files: nginxFiles },
  Caddy: { command: 'caddy', files: caddyFiles },
}
/**
 * Runs the proxy with its shipped file. Only ports, certificate and folders are replaced. With
 * several ports it shares the requests among these instances.
 */
export async function startShippedProxy(
  name: ProxyName,
  ...productPorts: readonly number[]
): Promise<ShippedProxy> {
  const folder = await newFolder()
  const logs = join(folder, 'logs')
  const httpsPort = await freePort()
  const place = { folder, productPorts, httpsPort, httpPort: await freePort() }
  const { command, files } = programs[name]
  const child = spawn(command, files(place), {
    env: {
      ...process.env,
      PATH: toolsPath,
      HOME: folder,
      XDG_DATA_HOME: folder,
      XDG_CONFIG_HOME: folder,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const printed = text(child.stderr)
  child.once('exit', async (code) => {
    if (code) console.error(await printed)
  })
  await untilListening(httpsPort, child)
  return {
    send: (path, options, body) => send(httpsPort, path, options, body),
    readLogs: () =>
      readdirSync(logs)
        .map((file) => readFileSync(join(logs, file), 'utf8'))
        .join('\n'),
    async stop() {
      child.kill('SIGTERM')
      if (child.exitCode === null) await once(child, 'exit')
      rmSync(folder, { recursive: true })
    },
  }
}

/** With a certificate, and a place for logs. */
async function newFolder(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'starter-bot-proxy-'))
  mkdirSync(join(folder, 'logs'))
  const { key, cert } = await selfSignedCertificate(proxiedHost)
  writeFileSync(join(folder, 'privkey.pem'), key)
  writeFileSync(join(folder, 'fullchain.pem'), cert)
  return folder
}

function nginxFiles({ folder, productPorts, httpsPort, httpPort }: Place): string[] {
  const site = readShipped('nginx.conf')
    .replace('listen 443 ', `listen 127.0.0.1:${httpsPort} `)
    .replaceAll(/\n\s*listen \[::\].*/g, '') // the machine may have no IPv6
    .replace('listen 80;', `listen 127.0.0.1:${httpPort};`)
    .replace(/server 127\.0\.0\.1:3000 .*/, (line) =>
      productPorts.map((port) => line.replace('3000', String(port))).join('\n'),
    )
    .replaceAll(`/etc/letsencrypt/live/${proxiedHost}`, folder)
    .replaceAll('/var/log/nginx', join(folder, 'logs'))
  writeFileSync(join(folder, 'site.conf'), site)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${join(folder, kind)};`)
    .join('\n')
  const isRoot = process.getuid?.() === 0
  writeFileSync(
    join(folder, 'main.conf'),
    `${isRoot ? 'user root;' : ''}
    daemon off;
    pid ${join(folder, 'nginx.pid')};
    error_log ${join(folder, 'logs/error.log')};
    events {}
    http {
      ${temporary}
      include ${join(folder, 'site.conf')};
    }`,
  )
  return ['-c', join(folder, 'main.conf'), '-e', join(folder, 'logs/error.log')]
}

function caddyFiles({ folder, productPorts, httpsPort, httpPort }: Place): string[] {
  const certificate = `tls ${join(folder, 'fullchain.pem')} ${join(folder, 'privkey.pem')}`
  const file = readShipped('Caddyfile')
    .replace(/^\{$/m, `{\n\tadmin off\n\thttps_port ${httpsPort}\n\thttp_port ${httpPort}`)
    .replace(`${proxiedHost} {`, `${proxiedHost} {\n\t${certificate}`)
    .replace('localhost:3000', productPorts.map((port) => `127.0.0.1:${port}`).join(' '))
    .replace('/var/log/caddy', join(folder, 'logs'))
  writeFileSync(join(folder, 'Caddyfile'), file)
  return ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile']
}

function readShipped(name: string): string {
  return readFileSync(join(root, 'docs/operations', name), 'utf8')
}

async function send(
  port: number,
  path: string,
  { method = 'GET', headers }: ProxyRequest = {},
  body?: string,
): Promise<ProxyAnswer> {
  const sent = request({
    host: '127.0.0.1',
    port,
    path,
    servername: proxiedHost,
    rejectUnauthorized: false,
    headers: { host: proxiedHost, ...headers },
    method,
  })
  sent.on('error', () => {}) // a body is cut off after the answer; once() reports other errors
  sent.end(body)
  const [answer] = await once(sent, 'response')
  return {
    status: answer.statusCode,
    text: await text(answer),
    cookies: (answer.headers['set-cookie'] ?? []).map((cookie: string) => cookie.split(';')[0]),
  }
}

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, untilListening } from '#rigs/listening.ts'

/** The answer to copy: its bytes as sent, and its headers without those of the connection. */
export interface Page {
  headers: Record<string, string>
  base64: string
}

/** nginx with one worker that sends the page as a file, with the same headers. Undefined: it is not installed. */
export async function startNginx(folder: string, { headers, base64 }: Page) {
  const { stderr, error } = spawnSync('nginx', ['-v'], { encoding: 'utf8' })
  if (error) return undefined
  mkdirSync(join(folder, 'site'), { recursive: true })
  writeFileSync(join(folder, 'site/index.html'), Buffer.from(base64, 'base64'))
  const port = await freePort()
  const configuration = join(folder, 'nginx.conf')
  writeFileSync(configuration, configurationFor(folder, port, headers))
  const child = spawn('nginx', ['-p', folder, '-c', configuration], { stdio: 'inherit' })
  await untilListening(port, child)
  return {
    port,
    version: /nginx\/[\d.]+/.exec(stderr)?.[0] ?? 'nginx',
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

function configurationFor(folder: string, port: number, headers: Page['headers']): string {
  // nginx sets these headers itself.
  const own = new Set(['content-type', 'content-length', 'etag', 'accept-ranges'])
  const added = Object.entries(headers).filter(([name]) => !own.has(name))
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return `
${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log stderr crit;
events { worker_connections 1024; }
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  open_file_cache max=10;
  keepalive_requests 10000000;
  ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
  server {
    listen 127.0.0.1:${port};
    root ${folder}/site;
    default_type "${headers['content-type']}";
    ${added.map(([name, value]) => `add_header ${name} "${value}";`).join('\n    ')}
  }
}
`
}

import { once } from 'node:events'
import { createServer, type IncomingMessage, request as ask } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { listenHere } from '#rigs/listening.ts'
import { type Bench, connections, runLoad, startBenchProduct, startChild } from '../../bench.ts'
import type { PartReport } from '../../report.ts'
import { compare, perSecond, takeRounds } from '../../rounds.ts'
import { type Page, startNginx } from './nginx.ts'

const smallestAfterMs = 3_000

// The floor, a program of its own: Node's HTTP server, which answers every request with the same bytes and headers.
if (import.meta.main) {
  const { headers, base64 }: Page = JSON.parse(process.argv[2] ?? '')
  const body = Buffer.from(base64, 'base64')
  const server = createServer((_request, response) => response.writeHead(200, headers).end(body))
  process.once('disconnect', () => process.exit())
  process.send?.(await listenHere(server))
}

/** Compares pages per second with Node's bare HTTP server sending the same bytes, and with nginx. */
export async function benchPages({ quick, folder, progress }: Bench): Promise<PartReport> {
  const [perRun, rounds] = quick ? [2_000, 2] : [40_000, 7]
  await using product = await startBenchProduct(folder)
  await sleep(smallestAfterMs) // the page is compressed as small as it gets once the server listens
  const page = await fetchPage(product.url)
  await using bare = await startChild(import.meta.filename, page)
  await using nginx = await startNginx(folder, page)
  const { host } = new URL(product.url)
  const request = Buffer.from(
    `GET / HTTP/1.1\r\nHost: ${host}\r\nAccept: text/html\r\nAccept-Encoding: br\r\n\r\n`,
  )
  const run = (port: number) => () => runLoad(port, Array(perRun).fill(request))
  const ports = { ours: product.port, floor: bare.answer, ...(nginx && { nginx: nginx.port }) }
  const runs = Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, run(port)]))
  await takeRounds(1, runs)
  const { ours = [], floor = [], nginx: others = [] } = await takeRounds(rounds, runs, progress)
  const throughput = `throughput, ${connections} connections`
  return {
    title: 'Pages',
    notes: [
      `GET / with brotli over ${connections} keep-alive connections, ${perRun} requests a run: ${Buffer.from(page.base64, 'base64').length} bytes, ${Object.keys(page.headers).length} headers and those of the connection.`,
      'Floor: bare node:http that sends the same bytes with the same headers from memory, whatever is asked.',
      nginx
        ? `${nginx.version}: one worker, the same bytes as a file, sendfile and open_file_cache on. At its pace the load generator is the limit, so the true distance may be larger.`
        : 'nginx: skipped, it is not installed here.',
    ],
    rows: [
      compare(throughput, ours, ['floor', floor], perSecond, { min: 0.8 }),
      ...(nginx ? [compare(throughput, ours, ['nginx', others], perSecond)] : []),
    ],
  }
}

async function fetchPage(url: string): Promise<Page> {
  const asked = ask(url, { headers: { 'accept-encoding': 'br' } }).end()
  const [response]: IncomingMessage[] = await once(asked, 'response')
  const { date: _date, connection: _connection, 'keep-alive': _keepAlive, ...headers } = response!.headers
  const base64 = (await buffer(response!)).toString('base64')
  return { headers: headers as Page['headers'], base64 } // only Set-Cookie has several values
}

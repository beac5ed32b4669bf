import { request as ask } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Bench, startBenchProduct } from '../../bench.ts'
import { startChild } from '../../child.ts'
import { type LoadResult, startLoadGenerator } from '../../load.ts'
import type { PartReport, Row } from '../../report.ts'
import { compare, perSecond, takeRounds } from '../../rounds.ts'
import type { Page } from './bare-page-server.ts'
import { startNginx } from './nginx.ts'

const connections = 64
const smallestAfterMs = 3_000

/** Compares pages per second with Node's bare HTTP server sending the same bytes, and with nginx. */
export async function benchPages({ quick, folder, progress }: Bench): Promise<PartReport> {
  const [perRun, rounds] = quick ? [2_000, 2] : [40_000, 7]
  await using load = startLoadGenerator()
  await using product = await startBenchProduct(folder)
  await using floor = startChild(join(import.meta.dirname, 'bare-page-server.ts'))
  await sleep(smallestAfterMs) // the page is compressed as small as it gets once the server listens
  const page = await fetchPage(product.url)
  const { port: floorPort } = await floor.ask<{ port: number }>(page)
  await using nginx = await startNginx(folder, page)
  const run = (port: number) => () =>
    load.run({ port, connections, request: pageRequest(product.url), first: 0, count: perRun })
  const runs = { ours: run(product.port), floor: run(floorPort) }
  for (const warmUp of Object.values(runs)) await warmUp()
  const results = nginx
    ? await takeRounds(rounds, { ...runs, nginx: run(nginx.port) }, progress)
    : { ...(await takeRounds(rounds, runs, progress)), nginx: [] }
  return {
    title: 'Pages',
    notes: [
      `GET / with brotli over ${connections} keep-alive connections, ${perRun} requests a run: ${Buffer.from(page.base64, 'base64').length} bytes, ${Object.keys(page.headers).length} headers and those of the connection.`,
      'Floor: bare node:http that sends the same bytes with the same headers from memory, whatever is asked.',
      nginx
        ? `${nginx.version}: one worker, the same bytes as a file, sendfile and open_file_cache on. At its pace the load generator is the limit, so the true distance may be larger.`
        : 'nginx: skipped, it is not installed here.',
    ],
    rows: rowsOf(results),
  }
}

function rowsOf({ ours, floor, nginx }: Record<'ours' | 'floor' | 'nginx', LoadResult[]>): Row[] {
  const throughput = `throughput, ${connections} connections`
  const rows = [compare(throughput, ours, ['floor', floor], perSecond, { least: 0.8 })]
  return nginx.length > 0 ? [...rows, compare(throughput, ours, ['nginx', nginx], perSecond)] : rows
}

function pageRequest(origin: string): string {
  return `GET / HTTP/1.1\r\nHost: ${new URL(origin).host}\r\nAccept: text/html\r\nAccept-Encoding: br\r\n\r\n`
}

async function fetchPage(url: string): Promise<Page> {
  const { promise, resolve, reject } = Promise.withResolvers<Page>()
  ask(url, { headers: { 'accept-encoding': 'br' } }, (response) => {
    const { date: _date, connection: _connection, 'keep-alive': _keepAlive, ...headers } = response.headers
    buffer(response).then(
      (bytes) => resolve({ headers: headers as Record<string, string>, base64: bytes.toString('base64') }), // only Set-Cookie has several values
      reject,
    )
  })
    .on('error', reject)
    .end()
  return promise
}

import { once } from 'node:events'
import { createServer, type IncomingMessage, request as ask } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { listenHere } from '#rigs/listening.ts'
import { pageRequest } from '#rigs/http/load.ts'
import { type Bench, connections, runLoad, startBenchProduct, startChild } from './rig/bench.ts'
import { compare, perSecond, type Row, takeRounds } from './rig/rounds.ts'

interface Page {
  headers: Record<string, string>
  base64: string
}

// The floor, a program of its own: Node's HTTP server, which answers every request with the same
// bytes and headers.
if (process.argv[1] === import.meta.filename) {
  const { headers, base64 }: Page = JSON.parse(process.argv[2] ?? '')
  const body = Buffer.from(base64, 'base64')
  const server = createServer((_request, response) => response.writeHead(200, headers).end(body))
  process.once('disconnect', () => process.exit())
  process.send?.(await listenHere(server))
}

/** Pages per second, beside Node's bare HTTP server that sends the same bytes. */
export async function benchPages({ quick, folder }: Bench): Promise<Row[]> {
  const { perRun, rounds } = quick ? { perRun: 2_000, rounds: 2 } : { perRun: 30_000, rounds: 7 }
  await using product = await startBenchProduct(folder)
  const page = await fetchPage(product.url)
  await using floor = await startChild(import.meta.filename, page)
  const request = pageRequest(product.url)
  const run = (port: number) => () => runLoad(port, Array(perRun).fill(request))
  const runs = { ours: run(product.port), floor: run(floor.port) }
  await takeRounds(1, runs)
  const { ours, floor: least } = await takeRounds(rounds, runs)
  return [compare(`throughput, ${connections} connections`, perSecond, ours, ['floor', least])]
}

async function fetchPage(url: string): Promise<Page> {
  const asked = ask(url, { headers: { 'accept-encoding': 'br' } }).end()
  const [response]: IncomingMessage[] = await once(asked, 'response')
  const {
    date: _date,
    connection: _connection,
    'keep-alive': _keepAlive,
    ...headers
  } = response!.headers
  const base64 = (await buffer(response!)).toString('base64')
  return { headers: headers as Page['headers'], base64 } // only Set-Cookie has several values
}

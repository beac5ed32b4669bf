import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerStaticFile, type StaticFile } from '#server/http/static-files.ts'

export type Files = ReadonlyMap<string, StaticFile>

/** A plain server, equal for every build that is compared. */
export async function serveFiles(files: Files): Promise<{ url: string; [Symbol.dispose](): void }> {
  const server = createServer((request, response) => {
    const file = files.get(request.url ?? '')
    if (!file) return void response.writeHead(404).end()
    const { status, headers, body } = answerStaticFile(request, file)
    response.writeHead(status, headers).end(body)
  })
  server.listen(0, 'localhost')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // a string only for a pipe
  return {
    url: `http://localhost:${port}/`,
    [Symbol.dispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

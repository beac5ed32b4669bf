import { createServer } from 'node:http'
import { listenHere } from '#rigs/listening.ts'
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
  const port = await listenHere(server, 0, 'localhost')
  return {
    url: `http://localhost:${port}/`,
    [Symbol.dispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

// The floor: Node's own HTTP server, which answers every request with the same bytes and headers.
import { createServer } from 'node:http'
import { listenHere } from '#rigs/listening.ts'
import { answerParent } from '../../child.ts'

/** The answer to copy: its bytes as sent, and its headers without those of the connection. */
export interface Page {
  headers: Record<string, string>
  base64: string
}

answerParent(async (page: Page) => ({ port: await serve(page) }))

function serve({ headers, base64 }: Page): Promise<number> {
  const body = Buffer.from(base64, 'base64')
  const server = createServer((_request, response) => response.writeHead(200, headers).end(body))
  return listenHere(server)
}

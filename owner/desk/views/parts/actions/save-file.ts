import { TRPCClientError } from '@trpc/client'

/**
 * Hands the file of an answer over to the browser, as a download. Throws a refusal. `onLines`: told
 * how many lines have come, each time that a piece of the file comes.
 */
export async function saveAnswer(
  response: Response,
  onLines: (lines: number) => void = () => {},
): Promise<void> {
  if (!response.ok) throw TRPCClientError.from(await response.json())
  const disposition = response.headers.get('content-disposition') ?? ''
  const [, name = ''] = /filename="([^"]+)"/.exec(disposition) ?? []
  saveFile(await readFile(response, onLines), name)
}

const lineFeed = 10

/** Reads the body of an answer, and tells how many lines of it have come. */
export async function readFile(
  { body, headers }: Response,
  onLines: (lines: number) => void,
): Promise<Blob> {
  let lines = 0
  const counting = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(piece, controller) {
      lines += piece.filter((byte) => byte === lineFeed).length
      onLines(lines)
      controller.enqueue(piece)
    },
  })
  return new Response(body?.pipeThrough(counting), { headers }).blob()
}

/** Hands a file over to the browser, as a download. */
function saveFile(content: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}

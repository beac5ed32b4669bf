import { TRPCClientError } from '@trpc/client'

export interface FileSending {
  signal: AbortSignal
  /** `sent`: of the bytes of the file. */
  onProgress(sent: number): void
}

/** As fetch, and tells how much of a file was sent: fetch does not. */
export function sendFile(
  url: string,
  file: Blob,
  { signal, onProgress }: FileSending,
): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>()
  const request = new XMLHttpRequest()
  request.open('POST', url)
  request.setRequestHeader('content-type', 'application/octet-stream')
  request.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded))
  request.addEventListener('load', () =>
    resolve(new Response(request.responseText, { status: request.status })),
  )
  request.addEventListener('error', () => reject(new Error('The server cannot be reached.')))
  request.addEventListener('abort', () => reject(new DOMException('Stopped', 'AbortError')))
  signal.addEventListener('abort', () => request.abort())
  request.send(file)
  return promise
}

/** The answer of a route beside the API's procedures. Throws its refusal. */
export async function answerOf<Answer>(response: Response): Promise<Answer> {
  const answer = await response.json()
  if (!response.ok) throw TRPCClientError.from(answer)
  return answer
}

import { TRPCClientError } from '@trpc/client'

/** Hands the file of an answer over to the browser, as a download. Throws a refusal. */
export async function saveAnswer(response: Response): Promise<void> {
  if (!response.ok) throw TRPCClientError.from(await response.json())
  const disposition = response.headers.get('content-disposition') ?? ''
  const [, name = ''] = /filename="([^"]+)"/.exec(disposition) ?? []
  saveFile(await response.blob(), name)
}

/** Hands a file over to the browser, as a download. */
export function saveFile(content: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}

import { deskApiPath } from '#contract/desk-paths.ts'
import { useProof } from './proof-context.tsx'

/** Returns what posts a file to a route of the desk's API. `route`: with its query. */
export function usePostFile() {
  const { fetchWithProof } = useProof()
  return (route: string, file: Blob): Promise<Response> =>
    fetchWithProof(`${deskApiPath}/${route}`, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: file,
    })
}

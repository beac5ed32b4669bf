import { QueryClientProvider } from '@tanstack/react-query'
import { createTRPCClient, httpLink } from '@trpc/client'
import { type ReactNode, useState } from 'react'
import { deskApiPath } from '#contract/desk-paths.ts'
import type { DeskRouter } from '../../router.ts'
import { useProof } from './proof-context.tsx'
import { queryClient } from '../api/queries.ts'
import { TRPCProvider } from '../api/trpc.ts'

/** Every call is a POST, so that no address gets into a URL or a log. */
export function ApiProvider({ children }: { children: ReactNode }) {
  const { fetchWithProof } = useProof()
  const [client] = useState(() =>
    createTRPCClient<DeskRouter>({
      links: [httpLink({ url: deskApiPath, methodOverride: 'POST', fetch: fetchWithProof })],
    }),
  )
  return (
    <QueryClientProvider client={queryClient}>
      <TRPCProvider trpcClient={client} queryClient={queryClient}>
        {children}
      </TRPCProvider>
    </QueryClientProvider>
  )
}

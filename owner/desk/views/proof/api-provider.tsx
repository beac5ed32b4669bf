import { QueryClientProvider } from '@tanstack/react-query'
import { createTRPCClient, httpLink, splitLink } from '@trpc/client'
import { type ReactNode, useState } from 'react'
import { deskApiPath } from '#contract/desk-paths.ts'
import { useProof } from './proof-context.tsx'
import { queryClient } from '../api/queries.ts'
import { type DeskRouter, TRPCProvider } from '../api/trpc.ts'

/** Browsers let calls of 64 KiB in all outlive their page, and refuse longer ones. */
const maxKeepaliveLength = 10_000

/** A POST, so that no address gets into a URL or a log. */
const everyCall = { url: deskApiPath, methodOverride: 'POST' } as const

export function ApiProvider({ children }: { children: ReactNode }) {
  const { fetchWithProof } = useProof()
  const [client] = useState(() =>
    createTRPCClient<DeskRouter>({
      links: [
        splitLink({
          condition: ({ context }) => context['outlivesPage'] === true,
          true: httpLink({
            ...everyCall,
            fetch(url, init) {
              const body = init?.body
              const keepalive = typeof body === 'string' && body.length < maxKeepaliveLength
              return fetchWithProof(url, { ...init, keepalive })
            },
          }),
          false: httpLink({ ...everyCall, fetch: fetchWithProof }),
        }),
      ],
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

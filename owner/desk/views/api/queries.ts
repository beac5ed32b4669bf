import { QueryClient } from '@tanstack/react-query'

/**
 * A view asks once when it opens, and again after a change. Only a polled query asks by itself.
 * `networkMode`: a desk on this machine answers without a network.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, networkMode: 'always', refetchOnWindowFocus: false },
    mutations: { networkMode: 'always' },
  },
})

/** Asks every `ms` while the tab is seen, and at once when it is seen again. */
export function polled(ms: number | false) {
  return {
    refetchInterval: ms,
    refetchIntervalInBackground: false,
    refetchOnWindowFocus: ms !== false,
  }
}

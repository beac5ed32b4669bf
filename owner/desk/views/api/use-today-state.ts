import { useQuery } from '@tanstack/react-query'
import { useTRPC } from './trpc.ts'

/** The state of the product as the frame last asked for it. */
export function useTodayState() {
  const trpc = useTRPC()
  return useQuery({ ...trpc.today.state.queryOptions(), refetchOnMount: false })
}

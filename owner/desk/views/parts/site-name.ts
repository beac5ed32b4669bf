import { useQuery } from '@tanstack/react-query'
import { brand } from '#content/brand.ts'
import { useTRPC } from '../api/trpc.ts'

/** As it is published, once the frame has asked for it. */
export function useSiteName(): string {
  const trpc = useTRPC()
  const { data } = useQuery({ ...trpc.today.state.queryOptions(), enabled: false })
  return data?.name ?? brand.name
}

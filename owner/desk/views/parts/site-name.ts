import { useQuery } from '@tanstack/react-query'
import { brand } from '#content/brand.ts'
import { useTRPC } from '../api/trpc.ts'

/** As it is published, once the frame, or the page to sign in, has asked for it. */
export function useSiteName(): string {
  const trpc = useTRPC()
  const { data: state } = useQuery({ ...trpc.today.state.queryOptions(), enabled: false })
  const { data: door } = useQuery({ ...trpc.signIn.show.queryOptions(), enabled: false })
  return state?.name ?? door?.siteName ?? brand.name
}

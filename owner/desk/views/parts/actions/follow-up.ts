import { type QueryFilters, useQueryClient } from '@tanstack/react-query'
import { notify } from './notify.ts'

interface FollowUp {
  /** The queries whose answers it changed. They are asked again, also if it failed. */
  refresh: QueryFilters[]
  /** Said once it is done. */
  done?: string
}

/** The options of a mutation that say what follows it. */
export function useFollowUp() {
  const queryClient = useQueryClient()
  return ({ refresh, done }: FollowUp) => ({
    onSuccess: () => {
      if (done !== undefined) notify(done)
    },
    onSettled: async () => {
      await Promise.all(refresh.map((filters) => queryClient.invalidateQueries(filters)))
    },
  })
}

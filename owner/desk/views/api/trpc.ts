import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server'
import { createTRPCContext } from '@trpc/tanstack-react-query'
import type { DeskRouter } from '#owner/start/router.ts'

export type RouterInputs = inferRouterInputs<DeskRouter>
export type RouterOutputs = inferRouterOutputs<DeskRouter>

export const { TRPCProvider, useTRPC, useTRPCClient } = createTRPCContext<DeskRouter>()

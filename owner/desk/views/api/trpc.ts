import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server'
import { createTRPCContext } from '@trpc/tanstack-react-query'

/** The API that the desk calls: `owner/start/views/main.tsx` says which one. */
export interface DeskApi {}
export type DeskRouter = DeskApi['router']

export type RouterInputs = inferRouterInputs<DeskRouter>
export type RouterOutputs = inferRouterOutputs<DeskRouter>

export const { TRPCProvider, useTRPC, useTRPCClient } = createTRPCContext<DeskRouter>()

/** The state of the product, which the desk reads with every view. */
export type TodayState = RouterOutputs['today']['state']
export type Condition = TodayState['conditions'][number]

import { createStore, useStore } from '@mantine/store'
import { keepPreviousData, notifyManager, QueryClient, useQuery } from '@tanstack/react-query'
import { createTRPCClient, httpLink, TRPCClientError } from '@trpc/client'
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server'
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query'
import { deskApiPath } from '../paths.ts'
import type { DeskRouter } from '../router.ts'

export type Sent = inferRouterInputs<DeskRouter>
export type Answers = inferRouterOutputs<DeskRouter>
export type TodayState = Answers['today']['show']
export type AnnounceState = Answers['announce']['show']
export type Announcement = AnnounceState['all'][number]
/** An announcement in the making. */
export type Draft = Sent['announce']['preview']

// A button is busy before the second click of a double click.
notifyManager.setScheduler(queueMicrotask)
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      retry: false,
      placeholderData: keepPreviousData,
      networkMode: 'always',
      refetchInterval: 10_000,
    },
    mutations: { networkMode: 'always' },
  },
})

/** Asked when the session is over, or when an act needs a fresh proof. The dialog answers it. */
export interface Question extends PromiseWithResolvers<boolean> {
  isSignedOut: boolean
}
const memory = createStore<Record<string, unknown> & { question?: Question | undefined }>({})

/**
 * Sends a request again once the owner has shown who is there, unless they left the view. The page
 * to sign in asks that itself.
 */
export async function send(url: string | URL | Request, request?: object): Promise<Response> {
  const from = location.pathname
  const answer = await fetch(url, request)
  const isSignedOut = answer.status === 401
  const isRefused = location.pathname === from && (isSignedOut || answer.status === 403)
  if (!isRefused || /(?:you\.session|signIn\.\w+)$/.test(answer.url)) return answer
  const question = memory.getState().question ?? {
    ...Promise.withResolvers<boolean>(),
    isSignedOut,
  }
  memory.setState({ ...memory.getState(), question })
  const isIn = await question.promise
  if (memory.getState().question === question) {
    memory.setState({ ...memory.getState(), question: undefined })
  }
  return isIn ? fetch(url, request) : answer
}

/** Every call is a POST, so that no address gets into a URL or a log. */
export const api = createTRPCClient<DeskRouter>({
  links: [httpLink({ url: deskApiPath, methodOverride: 'POST', fetch: send })],
})

export const trpc = createTRPCOptionsProxy<DeskRouter>({ client: api, queryClient: queries })

export function hasCode(
  error: unknown,
  code: 'UNAUTHORIZED' | 'NOT_FOUND' | 'SERVICE_UNAVAILABLE',
): boolean {
  return error instanceof TRPCClientError && error.data?.code === code
}

/** A sentence for the owner. */
export function messageOf(error: unknown): string {
  if (error instanceof TRPCClientError && !error.data) return 'The server cannot be reached.'
  return error instanceof Error ? error.message : String(error)
}

/** Nothing on the screen is older than the last act. */
export const refresh = () => queries.invalidateQueries()

/**
 * A value that outlives its view, in memory only: what is typed stands in no URL. Undefined brings
 * the initial one back.
 */
export function useRemembered<Value>(
  key: string,
  initial: Value,
): [Value, (value?: Value) => void] {
  const { [key]: value = initial } = useStore(memory)
  const remember = (changed?: Value) => memory.setState({ ...memory.getState(), [key]: changed })
  return [value as Value, remember] // each key has one type
}

export const periods = { 7: '7 days', 28: '28 days', 90: '90 days', 365: '1 year' } as const
export type Period = keyof typeof periods

/** The days of Today's figures. */
export const usePeriod = () => useRemembered<Period>('period', 28)

export function useToday() {
  const [days] = usePeriod()
  return useQuery(trpc.today.show.queryOptions({ days }))
}

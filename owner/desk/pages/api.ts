import { type Query, QueryCache, QueryClient, useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import type { Back, DeskApi, DeskError, SentTo, Session } from '../contract.ts'
import { deskApiPath } from '../paths.ts'
import { timeOf } from './format.ts'

type ReadName = Extract<keyof DeskApi, `GET ${string}` | 'POST people/search'>

type Details = Omit<DeskError['error'], 'code'> & { code: DeskError['error']['code'] | 'unreachable' }

/** Why a call did not do what was wanted. */
class ApiError extends Error {
  readonly details: Details
  constructor(details: Details) {
    super(
      details.code === 'changed'
        ? `This was changed at ${timeOf(Date.now())} in another browser.`
        : details.message,
    )
    this.details = details
  }
}

export function hasCode(error: unknown, ...codes: Details['code'][]): error is ApiError {
  return error instanceof ApiError && codes.includes(error.details.code)
}

/** Calls the desk's API. Rejects with an ApiError. */
export async function call<Name extends keyof DeskApi>(
  name: Name,
  sent: SentTo<Name>,
  id?: number,
): Promise<Back<Name>> {
  const answer = await send(name, sent, id)
  return answer.json() as Promise<Back<Name>> // the contract's
}

/** As call, for an answer that is a file. */
export async function send(name: keyof DeskApi, sent: object, id?: number): Promise<Response> {
  const [method = '', path = ''] = name.split(' ')
  const address = `${deskApiPath}/${path.replace(':id', String(id))}`
  const query = new URLSearchParams(Object.entries(sent).map(([field, value]) => [field, String(value)]))
  const post: RequestInit = {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(sent),
    keepalive: true, // what waited for an undo is done when the page is left
  }
  const answer = await (method === 'GET' ? fetch(`${address}?${query}`) : fetch(address, post)).catch(() => {
    throw new ApiError({ code: 'unreachable', message: 'The server cannot be reached.' })
  })
  if (answer.ok) return answer
  const { error }: Partial<DeskError> = await answer.json().catch(() => ({}))
  throw new ApiError(error ?? { code: 'failed', message: `The server answered ${answer.status}.` })
}

export const queries = new QueryClient({
  queryCache: new QueryCache({
    // The session is asked about, too: the frame then asks for a code over the view.
    onError: (error, { queryKey: [name] }) => {
      if (name !== 'session' && hasCode(error, 'signed-out'))
        void queries.invalidateQueries({ queryKey: ['session'] })
    },
  }),
  defaultOptions: { queries: { retry: 0, networkMode: 'always' }, mutations: { networkMode: 'always' } },
})

/** Has both data and an error once the session is over. */
export function useSession() {
  return useQuery({ queryKey: ['session'], queryFn: () => call('GET session', {}) })
}

export function updateSession(session: Session): void {
  queries.setQueryData(['session'], session)
}

/** Reads from the server: again every minute while the page is visible, and every 10 s while reading fails. */
export function useDesk<Name extends ReadName>(
  name: Name,
  sent: SentTo<Name>,
  { id = 0, everyMs }: { id?: number; everyMs?: (data: Back<Name> | undefined) => number } = {},
) {
  return useQuery<Back<Name>>({
    queryKey: [name, sent, id],
    queryFn: () => call(name, sent, id),
    placeholderData: (before) => before,
    refetchInterval: ({ state }) => (state.status === 'error' ? 10_000 : (everyMs?.(state.data) ?? 60_000)),
  })
}

/** Nothing on the screen is older than the act. */
export function refresh(): Promise<void> {
  return queries.invalidateQueries({ predicate: isOfServer })
}

/** Those of useDesk; others are kept by this browser. */
export function isOfServer({ queryKey: [name] }: Pick<Query, 'queryKey'>): boolean {
  return String(name).includes(' ')
}

const remembered = new Map<string, unknown>()
const listeners = new Set<() => void>()

/** A value that outlives its view, in memory only: what is typed stands in no URL. */
export function useRemembered<Value>(key: string, initial: Value): [Value, (value: Value) => void] {
  const read = () => (remembered.has(key) ? (remembered.get(key) as Value) : initial) // each key has one type
  return [useSyncExternalStore(listen, read), (value) => remember(key, value)]
}

export function remember(key: string, value: unknown): void {
  remembered.set(key, value)
  for (const notify of listeners) notify()
}

function listen(notify: () => void): () => void {
  listeners.add(notify)
  return () => listeners.delete(notify)
}

export const periods = { 7: '7 days', 28: '28 days', 90: '90 days', 365: '1 year' }

export type Period = `${keyof typeof periods}`

/** The days of Today's figures. */
export const usePeriod = () => useRemembered<Period>('period', '28')

export function useToday() {
  const [days] = usePeriod()
  return useDesk('GET today', { days: Number(days) })
}

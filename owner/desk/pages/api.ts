import { type Query, QueryCache, QueryClient, useQuery } from '@tanstack/react-query'
import type { DeskApi, DeskError, Person, Session } from '../contract.ts'
import { deskApiPath } from '../paths.ts'

type Sent<Name extends keyof DeskApi> = DeskApi[Name][0]
export type Back<Name extends keyof DeskApi> = DeskApi[Name][1]
type GetName = Extract<keyof DeskApi, `GET ${string}` | 'POST people/search'>

/** Why a call did not do what was wanted. */
export class DeskFault extends Error {
  readonly code: DeskError['error']['code'] | 'unreachable'
  readonly triesLeft: number | undefined
  readonly now: Person | undefined
  constructor({
    code,
    message,
    triesLeft,
    now,
  }: { code: DeskFault['code'] } & Omit<DeskError['error'], 'code'>) {
    super(message)
    this.code = code
    this.triesLeft = triesLeft
    this.now = now
  }
}

/** Calls the desk's API. Rejects with a DeskFault. */
export async function call<Name extends keyof DeskApi>(
  name: Name,
  sent: Sent<Name>,
  id?: number,
): Promise<Back<Name>> {
  const answer = await send(name, sent, id)
  return answer.json() as Promise<Back<Name>> // the contract's
}

/** As call, for an answer that is a file. */
export async function send<Name extends keyof DeskApi>(
  name: Name,
  sent: Sent<Name>,
  id?: number,
): Promise<Response> {
  const [method = '', path = ''] = name.split(' ')
  const address = `${deskApiPath}/${path.replace(':id', String(id))}`
  const query = new URLSearchParams(Object.entries(sent).map(([field, value]) => [field, String(value)]))
  const answer = await (
    method === 'GET'
      ? fetch(query.size > 0 ? `${address}?${query}` : address)
      : fetch(address, {
          method,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(sent),
          keepalive: true, // what waited for an undo is done when the page is left
        })
  ).catch(() => {
    throw new DeskFault({ code: 'unreachable', message: 'The server cannot be reached.' })
  })
  if (answer.ok) return answer
  const { error }: Partial<DeskError> = await answer.json().catch(() => ({}))
  throw new DeskFault(error ?? { code: 'failed', message: `The server answered ${answer.status}.` })
}

export const queries = new QueryClient({
  queryCache: new QueryCache({
    onError: (fault) => {
      // The frame asks for a code over the view.
      const session = queries.getQueryData<Session>(['session'])
      if (!session || !isFault(fault, 'signed-out')) return
      queries.setQueryData<Session>(['session'], { ...session, proofEndsAt: 0 })
      queries.setQueryData(['is-over'], true)
    },
  }),
  defaultOptions: { queries: { retry: 0, networkMode: 'always' } },
})

/** Reads from the server: again every minute while the page is visible, and every 10 s while reading fails. */
export function useDesk<Name extends GetName>(
  name: Name,
  sent: Sent<Name>,
  { id = 0, everyMs = 60_000 } = {},
) {
  return useQuery<Back<Name>>({
    queryKey: [name, sent, id],
    queryFn: () => call(name, sent, id),
    placeholderData: (before) => before,
    refetchInterval: ({ state }) => (state.status === 'error' ? 10_000 : everyMs),
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

export function isFault(fault: unknown, ...codes: DeskFault['code'][]): fault is DeskFault {
  return fault instanceof DeskFault && codes.includes(fault.code)
}

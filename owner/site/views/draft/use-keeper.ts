import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { type RouterOutputs, useTRPC, useTRPCClient } from '#owner/desk/views/api/trpc.ts'
import { notifyFault } from '#owner/desk/views/parts/actions/notify.ts'
import { DraftKeeper, type DraftKeeperOptions, tabsWithTexts } from './draft-keeper.ts'

type PageState = RouterOutputs['page']['show']

/** One for the tab: it goes on saving when another view is opened. */
let keeper: DraftKeeper | undefined

export function useKeeper(): DraftKeeper {
  const trpc = useTRPC()
  const client = useTRPCClient()
  const queryClient = useQueryClient()
  keeper ??= startKeeper(client, queryClient, trpc.page.show.queryKey())
  return keeper
}

function startKeeper(
  client: ReturnType<typeof useTRPCClient>,
  queryClient: QueryClient,
  queryKey: ReturnType<ReturnType<typeof useTRPC>['page']['show']['queryKey']>,
): DraftKeeper {
  const tab = crypto.randomUUID() // another one after a reload, as a duplicated tab has another
  const started = new DraftKeeper({
    storage: localStorage,
    tab,
    save: (texts) => client.page.save.mutate({ tab: tabName(), texts }),
    onSaved(texts, revisions) {
      // An answer that is on its way may be older than this.
      const cancelled = queryClient.cancelQueries({ queryKey })
      const before = queryClient.getQueryData(queryKey)
      queryClient.setQueryData(queryKey, before && withSaved(before, texts, revisions))
      // Changes of another device are not known here yet.
      const knowsAll = before && (!revisions || before.revision === revisions.before)
      if (!knowsAll) void cancelled.then(() => queryClient.refetchQueries({ queryKey }))
    },
    onUnknown(paths) {
      notifyFault(`The page has no text ${paths.join(', ')} any more. It was not saved.`)
    },
  })
  addEventListener('beforeunload', (event) => {
    if (started.read().status !== 'saved') event.preventDefault()
  })
  addEventListener('online', () => void started.flush())
  takeOver(started, tab)
  return started
}

/** A tab holds a lock of its name as long as it is there. Whoever gets it takes over the texts. */
function takeOver(started: DraftKeeper, tab: string): void {
  const lockOf = (name: string) => `desk-page-draft ${name}`
  for (const other of tabsWithTexts(localStorage)) {
    void navigator.locks.request(lockOf(other), () => started.adopt(other))
  }
  void navigator.locks.request(lockOf(tab), () => new Promise(() => {}))
}

/** The same over reloads of this tab: what it saved itself is no conflict for it. */
function tabName(): string {
  const name = sessionStorage.getItem('desk-tab') ?? crypto.randomUUID()
  sessionStorage.setItem('desk-tab', name)
  return name
}

/** A revision that holds changes of another device as well is not taken for one that is shown. */
function withSaved(
  state: PageState,
  saved: Parameters<DraftKeeperOptions['onSaved']>[0],
  revisions: Parameters<DraftKeeperOptions['onSaved']>[1],
): PageState {
  const texts = Object.fromEntries(saved.map(({ path, value }) => [path, value]))
  const revision =
    revisions && state.revision === revisions.before ? revisions.revision : state.revision
  return { ...state, revision, texts: { ...state.texts, ...texts } }
}

import { useQuery } from '@tanstack/react-query'
import { useMemo, useSyncExternalStore } from 'react'
import { checkContent } from '#site/words/check.ts'
import { asText, type ContentValue, valueAt } from '#site/words/description.ts'
import type { OwnKinds } from '#site/words/defaults.ts'
import type { Finding } from '#site/words/finding.ts'
import { asDifference, isSame, textAt, type Texts } from '#owner/site/draft/draft-difference.ts'
import { polled } from '#owner/desk/views/api/queries.ts'
import { type RouterOutputs, useTRPC } from '#owner/desk/views/api/trpc.ts'
import {
  type Conflict,
  type DraftKeeper,
  type UnsavedDraft,
  type SaveStatus,
} from './draft-keeper.ts'
import { pathWithin, rootPath, withValue } from './nested-value.ts'
import { useKeeper } from './use-keeper.ts'

export type PageState = RouterOutputs['page']['show']

/** The page as the owner is changing it. Texts are by their path; a list is one value. */
export interface PageDraft {
  state: PageState
  /** All that differs from the defaults, with what is drafted and typed. */
  texts: Texts
  /** The files that are the owner's. */
  own: OwnKinds
  status: SaveStatus
  /** The faults and looks of the draft, in reading order. */
  findings: readonly Finding[]
  /** The texts that are not as published, in no order. */
  changedPaths: readonly string[]
  /** Texts that are typed and not saved yet: the desk does not have them. */
  unsaved: Texts
  conflicts: Readonly<Record<string, Conflict>>
  /** Also of a text within an entry of a list. */
  change(path: string, value: ContentValue): void
  keepMine(path: string): void
  takeTheirs(path: string): void
  /** Saves at once what is not saved. */
  flush(): Promise<void>
}

const elsewhereMs = 10_000

/** The draft, shared with the owner's other devices. Undefined: it is not known yet. */
export function useDraft() {
  const trpc = useTRPC()
  const query = useQuery({ ...trpc.page.show.queryOptions(), ...polled(elsewhereMs) })
  const keeper = useKeeper()
  const inTab = useSyncExternalStore(keeper.subscribe, keeper.read)
  const { data: state } = query
  const draft = useMemo(() => state && draftOf(state, inTab, keeper), [state, inTab, keeper])
  return { query, draft }
}

function draftOf(state: PageState, inTab: UnsavedDraft, keeper: DraftKeeper): PageDraft {
  const { published, files } = state
  const unsaved = Object.fromEntries(
    Object.entries(inTab.typed).map(([path, { value }]) => [path, value]),
  )
  const texts = { ...state.texts, ...unsaved }
  const own = Object.fromEntries(Object.entries(files).map(([kind, { isOwn }]) => [kind, isOwn]))
  return {
    state,
    texts,
    own,
    status: inTab.status,
    findings: checkContent(asDifference(texts, own), own),
    changedPaths: Object.keys({ ...published, ...texts }).filter(
      (path) => !isSame(textAt(texts, path, own), textAt(published, path, own)),
    ),
    unsaved,
    conflicts: inTab.conflicts,
    change(path, value) {
      const root = rootPath(path)
      const before = textAt(texts, root, own)
      keeper.type(root, withValue(before, pathWithin(root, path), value), state.revision)
    },
    keepMine: keeper.keepMine,
    takeTheirs: keeper.takeTheirs,
    flush: keeper.flush,
  }
}

/** The words of a field, also of one within an entry of a list. */
export function wordsAt({ texts, own }: PageDraft, path: string): string {
  const root = rootPath(path)
  return asText(valueAt(textAt(texts, root, own), pathWithin(root, path)))
}

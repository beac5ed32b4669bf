import type { Difference } from '#site/words/difference.ts'
import type { LastChange, LastChanges, PageVersion, StoredFiles } from './versions.ts'

/** A page whole: all that differs from the defaults. */
export interface WholePage {
  readonly difference: Difference
  readonly files: StoredFiles
}

/** The next revision of the page, and what changed in it. */
export interface NotedChanges {
  readonly revision: number
  readonly lastChanges: LastChanges
}

/** `before`: the newest version. Undefined: nobody has changed the defaults yet. */
export function noteChanges(
  before: PageVersion | undefined,
  after: WholePage,
  { at, tab }: Omit<LastChange, 'revision'>,
): NotedChanges {
  const { revision, lastChanges, ...page } = before ?? defaults
  const change: LastChange = { revision: revision + 1, at, tab }
  const changed = changesBetween(page, after).map((path) => [path, change] as const)
  return {
    revision: change.revision,
    lastChanges: { ...lastChanges, ...Object.fromEntries(changed) },
  }
}

/** The paths of the texts, and the kinds of the files, that differ. */
export function changesBetween(one: WholePage, other: WholePage): string[] {
  const paths = Object.keys({ ...one.difference.texts, ...other.difference.texts })
  const kinds = Object.keys({ ...one.files, ...other.files }) as (keyof StoredFiles)[]
  return [
    ...paths.filter(
      (path) =>
        JSON.stringify(one.difference.texts[path]) !== JSON.stringify(other.difference.texts[path]),
    ),
    ...kinds.filter((kind) => one.files[kind]?.hash !== other.files[kind]?.hash),
  ]
}

const defaults = { revision: 0, lastChanges: {}, difference: { texts: {} }, files: {} }

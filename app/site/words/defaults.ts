import { type Content, defaultContent } from '#content/content.ts'
import type { OwnKind } from '#content/schema.ts'
import type { FileKind } from '../source.ts'
import { allFields, setAt } from './description.ts'

/** The kinds of files that the owner has in the place of ours. */
export type OwnKinds = Readonly<Partial<Record<FileKind, unknown>>>

/** The order in which they replace texts: of several, the last one counts. */
const replacing: readonly OwnKind[] = ['sharePicture', 'chart', 'script', 'guide']

const known = new Map<string, Content>()

/** The texts of a page of which the owner has changed none. */
export function defaultsFor(own: OwnKinds): Content {
  const kinds = replacing.filter((kind) => own[kind])
  const key = kinds.join()
  const content = known.get(key) ?? makeDefaults(kinds)
  known.set(key, content)
  return content
}

function makeDefaults(kinds: readonly OwnKind[]): Content {
  const content = structuredClone(defaultContent)
  for (const { path, withOwn = {} } of allFields()) {
    for (const kind of kinds) {
      if (withOwn[kind] !== undefined) setAt(content, path, withOwn[kind])
    }
  }
  return content
}

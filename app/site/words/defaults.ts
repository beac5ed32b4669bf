import { type Content, defaultContent } from '#content/content.ts'
import { otherDefaults } from '#content/own-kit.ts'
import type { FileKind } from '../source.ts'
import { setAt } from './description.ts'

/** The kinds of files that the owner has in the place of ours. */
export type OwnKinds = Readonly<Partial<Record<FileKind, unknown>>>

const known = new Map<string, Content>()

/** The texts of a page of which the owner has changed none. */
export function defaultsFor(own: OwnKinds): Content {
  const kinds = replacing.filter((kind) => own[kind])
  const key = kinds.join()
  const content = known.get(key) ?? makeDefaults(kinds)
  known.set(key, content)
  return content
}

type Replacing = keyof typeof otherDefaults

/** What one says holds for those before it, too. */
const replacing: readonly Replacing[] = ['sharePicture', 'chart', 'script', 'guide']

function makeDefaults(kinds: readonly Replacing[]): Content {
  const content = structuredClone(defaultContent)
  for (const kind of kinds) {
    for (const [path, value] of Object.entries(otherDefaults[kind])) setAt(content, path, value)
  }
  return content
}

import type { ContentValue } from '#site/words/description.ts'
import { isSame } from '#owner/site/draft/draft-difference.ts'

/** A text that is typed in a field and not saved yet. */
export interface Typed {
  value: ContentValue
  /** The revision of the page that the tab knew before it was typed. */
  revision: number
}

/** A field that another device changed meanwhile. */
export interface Conflict {
  theirs: ContentValue
  /** ms since 1970. */
  changedAt: number
  /** The revision with their text. */
  revision: number
}

export type SaveStatus = 'saved' | 'saving' | 'not-saved' | 'to-choose'

/** The texts of a tab that are not in the desk's draft, by the paths of their fields. */
export interface UnsavedDraft {
  typed: Readonly<Record<string, Typed>>
  conflicts: Readonly<Record<string, Conflict>>
  status: SaveStatus
}

export interface TypedText extends Typed {
  path: string
}

export interface SaveAnswer {
  /** The page's revision before it was saved. */
  before: number
  /** The page's revision now. */
  revision: number
  conflicts: readonly (Omit<Conflict, 'revision'> & { path: string })[]
  /** The page has these texts no more. */
  unknown: readonly string[]
}

export interface DraftKeeperOptions {
  /** Rejects if the desk cannot be reached or does not take it now. */
  save(texts: TypedText[]): Promise<SaveAnswer>
  /**
   * Gets each text that the desk has now. `revisions`: those of the page before and after; left
   * out, if the desk had the texts already.
   */
  onSaved(
    texts: readonly Pick<TypedText, 'path' | 'value'>[],
    revisions?: Pick<SaveAnswer, 'before' | 'revision'>,
  ): void
  /** Called with the fields that the page has no more. */
  onUnknown(paths: readonly string[]): void
  /** The browser's, which its tabs share: what is typed outlives the tab. */
  storage: DraftStorage
  /** Tells what this tab has typed from what others have. */
  tab: string
}

export type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

const prefix = 'desk-page-draft:'
const saveAfterMs = 100
const retryAfterMs = 2_000

/** Saves what is typed, and keeps in the browser what the desk does not have yet. */
export class DraftKeeper {
  readonly #options: DraftKeeperOptions
  readonly #typed: Record<string, Typed> = {}
  readonly #conflicts: Record<string, Conflict> = {}
  readonly #listeners = new Set<() => void>()
  #hasFailed = false
  #saving: Promise<void> | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #state: UnsavedDraft

  constructor(options: DraftKeeperOptions) {
    this.#options = options
    this.#state = this.#snapshot()
  }

  /**
   * Takes over what a tab could not save that is no more. A text that is typed here as well waits.
   */
  readonly adopt = (tab: string): void => {
    const { storage } = this.#options
    for (const { name, path } of storedTexts(storage).filter((text) => text.tab === tab)) {
      const stored = storage.getItem(name)
      if (stored === null || this.#typed[path]) continue
      storage.removeItem(name)
      this.#keep(path, JSON.parse(stored)) // as another tab kept it
      this.#saveIn(0)
    }
  }

  readonly read = (): UnsavedDraft => this.#state

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** `revision`: of the page that this tab shows. */
  readonly type = (path: string, value: ContentValue, revision: number): void => {
    // The desk still has the text from before the first unsaved change.
    this.#keep(path, { value, revision: this.#typed[path]?.revision ?? revision })
    this.#saveIn(saveAfterMs)
  }

  readonly keepMine = (path: string): void => {
    const mine = this.#typed[path]
    const conflict = this.#conflicts[path]
    if (!mine || !conflict) return
    delete this.#conflicts[path]
    this.#keep(path, { value: mine.value, revision: conflict.revision })
    this.#saveIn(0)
  }

  readonly takeTheirs = (path: string): void => {
    const conflict = this.#conflicts[path]
    if (!conflict) return
    const { theirs } = conflict
    this.#forget(path)
    this.#options.onSaved([{ path, value: theirs }])
    this.#notify()
  }

  /** Saves at once what is not saved. Resolves when nothing more can be saved now. */
  readonly flush = (): Promise<void> => {
    clearTimeout(this.#timer)
    this.#saving ??= this.#saveAll().finally(() => {
      this.#saving = undefined
      this.#notify()
    })
    return this.#saving
  }

  #saveIn(ms: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.flush(), ms)
    this.#notify()
  }

  /** One request after the other: what is typed meanwhile goes with the next. */
  async #saveAll(): Promise<void> {
    for (let texts = this.#unsaved(); texts.length > 0; texts = this.#unsaved()) {
      try {
        this.#settle(texts, await this.#options.save(texts))
        this.#hasFailed = false
      } catch {
        this.#hasFailed = true
        this.#timer = setTimeout(() => void this.flush(), retryAfterMs)
        return
      }
    }
  }

  #unsaved(): TypedText[] {
    return Object.entries(this.#typed)
      .filter(([path]) => !this.#conflicts[path])
      .map(([path, typed]) => ({ path, ...typed }))
  }

  #settle(sent: readonly TypedText[], answer: SaveAnswer): void {
    const { unknown, conflicts, revision } = answer
    const refused = new Set([...unknown, ...conflicts.map(({ path }) => path)])
    const saved = sent.filter(({ path }) => !refused.has(path))
    this.#options.onSaved(saved, answer)
    for (const { path, value } of saved) {
      const latest = this.#typed[path]
      if (!latest || isSame(latest.value, value)) this.#forget(path)
      else this.#keep(path, { value: latest.value, revision })
    }
    for (const { path, theirs, changedAt } of conflicts) {
      this.#conflicts[path] = { theirs, changedAt, revision }
    }
    for (const path of unknown) this.#forget(path)
    if (unknown.length > 0) this.#options.onUnknown(unknown)
    this.#notify()
  }

  #keep(path: string, text: Typed): void {
    this.#typed[path] = text
    try {
      this.#options.storage.setItem(this.#nameOf(path), JSON.stringify(text))
    } catch {
      // A full storage keeps nothing: the tab still has it.
    }
  }

  #forget(path: string): void {
    delete this.#typed[path]
    delete this.#conflicts[path]
    this.#options.storage.removeItem(this.#nameOf(path))
  }

  #nameOf(path: string): string {
    return `${prefix}${this.#options.tab}:${path}`
  }

  #notify(): void {
    this.#state = this.#snapshot()
    for (const listener of this.#listeners) listener()
  }

  #snapshot(): UnsavedDraft {
    const typed = { ...this.#typed }
    const conflicts = { ...this.#conflicts }
    return { typed, conflicts, status: this.#saveStatus() }
  }

  #saveStatus(): SaveStatus {
    if (this.#hasFailed) return 'not-saved'
    if (this.#unsaved().length > 0) return 'saving'
    return Object.keys(this.#conflicts).length > 0 ? 'to-choose' : 'saved'
  }
}

/**
 * The tabs that have texts in the browser's storage. Each has saved them, is saving them, or is
 * gone.
 */
export function tabsWithTexts(storage: DraftStorage): Set<string> {
  return new Set(storedTexts(storage).map(({ tab }) => tab))
}

/** `name`: of the entry. */
function storedTexts(storage: DraftStorage): { name: string; tab: string; path: string }[] {
  const names = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '')
  return names
    .filter((name) => name.startsWith(prefix))
    .map((name) => {
      const [tab = '', path = ''] = name.slice(prefix.length).split(':')
      return { name, tab, path }
    })
}

import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { counted, formatLongDay } from '#owner/desk/views/format/format.ts'
import { go, hrefOf } from '#owner/desk/views/navigation/location.ts'
import { Glyph } from '#owner/desk/views/parts/glyph.tsx'
import { Soft } from '#owner/desk/views/parts/text.tsx'
import type { SaveStatus } from './draft/draft-keeper.ts'
import { type PageDraft, wordsAt } from './draft/use-draft.ts'
import { FieldLink } from './groups/field-link.tsx'
import styles from './page.module.css'

/** Says what is wrong, else what waits. */
export function headingOf(draft: PageDraft): string {
  const faults = draft.findings.filter(({ kind }) => kind === 'fault')
  const missing = faults.filter(({ path }) => wordsAt(draft, path) === '').length
  const { length } = faults
  if (length > 0 && missing === length) {
    return length === 1 ? 'One text is missing.' : `${length} texts are missing.`
  }
  if (length === 1) return 'One text does not fit.'
  if (length > 1) return `${length} texts are missing or do not fit.`
  const changes = countChanges(draft)
  if (changes > 0) return counted(changes, 'unpublished change')
  return draft.state.version ? 'Everything is published.' : 'Nothing is published yet.'
}

/** Counts texts and files. */
export function countChanges({ changedPaths, state }: PageDraft): number {
  const changedFiles = Object.values(state.files).filter(({ isChanged }) => isChanged)
  return changedPaths.length + changedFiles.length
}

export function headNote({ state: { version } }: PageDraft): string {
  if (!version) return 'Until you publish, visitors see the page as it came with the product.'
  return `Visitors see the version of ${formatLongDay(version.publishedAt)} until you publish.`
}

export interface Obstacle {
  words: string
  /** The field that it leads to. */
  path?: string
}

/** The obstacle to publishing. Undefined: there is none. */
export function obstacleOf(draft: PageDraft): Obstacle | undefined {
  const { status, findings, state } = draft
  if (status === 'not-saved') return { words: 'Wait until everything is saved.' }
  if (status === 'to-choose') {
    const [path = ''] = Object.keys(draft.conflicts)
    return { words: 'Choose one of the two texts first:', path }
  }
  const fault = findings.find(({ kind }) => kind === 'fault')
  if (fault) return { words: 'Fix this first:', path: fault.path }
  const { scriptVersion } = state
  const { script } = state.files
  if (script.isOwn && !scriptVersion) {
    return { words: 'First give your script a version, in Files.' }
  }
  return undefined
}

export function ObstacleWords({ obstacle: { words, path } }: { obstacle: Obstacle }) {
  return (
    <Soft>
      {words} {path !== undefined && <FieldLink path={path} />}
    </Soft>
  )
}

interface HeadActionsProps {
  draft: PageDraft
  /** Ways to other parts of the view. */
  children?: ReactNode
}

export function HeadActions({ draft, children }: HeadActionsProps) {
  const obstacle = obstacleOf(draft)
  const changes = countChanges(draft)
  return (
    <div>
      <div className={styles.actions}>
        <Button
          variant="filled"
          aria-describedby="page-changes"
          disabled={obstacle !== undefined || changes === 0}
          onClick={() => go('page/publish')}
        >
          Publish
        </Button>
        {changes > 0 && (
          <span id="page-changes" className={styles.changes}>
            {counted(changes, 'change')}
          </span>
        )}
        {children}
        <Status status={draft.status} />
      </div>
      {obstacle && <ObstacleWords obstacle={obstacle} />}
    </div>
  )
}

export function EarlierVersions() {
  return (
    <Button component="a" href={hrefOf('page/publish#earlier-versions')}>
      Earlier versions
    </Button>
  )
}

const statusWords: Record<SaveStatus, string> = {
  saved: 'Saved',
  saving: 'Saving',
  'not-saved': 'Not saved. It is kept in this browser and saved when the desk answers.',
  'to-choose': 'Not saved: choose one of the two texts first.',
}

/** Says "Saved", and does not while something is not. */
export function Status({ status }: { status: SaveStatus }) {
  const isBad = status === 'not-saved' || status === 'to-choose'
  return (
    <div role="status">
      {isBad && <Glyph mark="wrong" />}
      {status === 'saved' && <Glyph mark="ok" />}
      {statusWords[status]}
    </div>
  )
}

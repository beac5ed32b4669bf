import { fieldAt } from '#words/description.ts'
import { formatLongDay } from '../../format/format.ts'
import { hrefOf } from '../../navigation/location.ts'
import { Glyph } from '../../parts/glyph.tsx'
import { Soft } from '../../parts/text.tsx'
import type { SaveStatus } from './draft/draft-keeper.ts'
import { rootPath } from './draft/nested-value.ts'
import type { PageDraft } from './draft/use-draft.ts'
import styles from './page.module.css'

/** What is wrong, else what waits. */
export function headingOf(draft: PageDraft): string {
  const faults = draft.findings.filter(({ kind }) => kind === 'fault').length
  if (faults === 1) return 'One text does not fit.'
  if (faults > 1) return `${faults} texts do not fit.`
  const changes = changesOf(draft)
  if (changes > 0) return changes === 1 ? 'One change waits.' : `${changes} changes wait.`
  return 'All is published.'
}

/** Of texts and of files. */
export function changesOf({ changedPaths, state }: PageDraft): number {
  return (
    changedPaths.length + Object.values(state.files).filter(({ isChanged }) => isChanged).length
  )
}

export function headNote({ state: { version } }: PageDraft): string {
  if (!version) return 'Visitors see the page as the product came until you publish.'
  return `Visitors see the version of ${formatLongDay(version.publishedAt)} until you publish.`
}

/** What stops publishing. Undefined: nothing. */
function obstacleOf(draft: PageDraft) {
  const { status, findings } = draft
  if (status === 'not-saved') return { words: 'Not while something is not saved.' }
  if (status === 'to-choose') {
    const [path = ''] = Object.keys(draft.conflicts)
    return { words: 'First choose one of two texts:', path }
  }
  const fault = findings.find(({ kind }) => kind === 'fault')
  if (fault) return { words: 'First mend', path: fault.path }
  return undefined
}

export function HeadActions({ draft }: { draft: PageDraft }) {
  const obstacle = obstacleOf(draft)
  return (
    <div>
      <div className={styles.actions}>
        <Status status={draft.status} />
      </div>
      {obstacle && (
        <Soft>
          {obstacle.words} {obstacle.path !== undefined && <FieldLink path={obstacle.path} />}
        </Soft>
      )}
    </div>
  )
}

/** Leads to a field. */
export function FieldLink({ path }: { path: string }) {
  return <a href={`${hrefOf('page')}#${path}`}>{labelOf(path)}</a>
}

/** As the owner knows it. */
export function labelOf(path: string): string {
  return fieldAt(rootPath(path))?.label ?? path
}

const statusWords: Record<SaveStatus, string> = {
  saved: 'Saved',
  saving: 'Saving',
  'not-saved': 'Not saved. It is kept in this browser and saved when the desk answers.',
  'to-choose': 'Not saved: choose one of two texts first.',
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

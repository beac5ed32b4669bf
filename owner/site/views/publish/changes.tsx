import { isSame, stillTruePath, textAt, type Texts } from '#owner/site/draft/draft-difference.ts'
import { groups, placeOf } from '../groups/groups.tsx'
import { FieldLink, labelOf } from '../groups/field-link.tsx'
import { asLines } from '../fields/shown-value.tsx'
import styles from './changes.module.css'
import { type Piece, wordDifference } from './word-difference.ts'

/** A text or a file before and after. */
export interface Change {
  id: string
  kind: 'text' | 'file'
  name: React.ReactNode
  where: string
  before: string
  after: string
  /** On the axis. */
  axis: string
}

/** The texts that differ, in the order of the page. */
export function textChanges(before: Texts, after: Texts): Change[] {
  const fields = groups.flatMap(({ parts }) => parts.flatMap((part) => part.fields))
  return fields
    .filter(({ path }) => !isSame(textAt(before, path), textAt(after, path)))
    .map(({ path, where }): Change => ({
      id: path,
      kind: 'text',
      name: <FieldLink path={path} />,
      where,
      before: asLines(textAt(before, path)).join(' / '),
      after: asLines(textAt(after, path)).join(' / '),
      axis: '',
    }))
    .concat(stillTrueChange(before, after))
}

/** The texts that the owner called true. They count as true only once that is published. */
function stillTrueChange(before: Texts, after: Texts): Change[] {
  const pathsBefore = asLines(textAt(before, stillTruePath))
  const pathsAfter = asLines(textAt(after, stillTruePath))
  if (isSame(pathsBefore, pathsAfter)) return []
  return [
    {
      id: stillTruePath,
      kind: 'text',
      name: 'Confirmed as true of your script or guide',
      where: 'On the list of Files.',
      before: namesOf(pathsBefore),
      after: namesOf(pathsAfter),
      axis: '',
    },
  ]
}

/** The texts as the list of Files names them. Two paragraphs of one field have the same name. */
function namesOf(paths: readonly string[]): string {
  const names = paths.map((path) => `${placeOf(path).part.label}, ${labelOf(path)}`)
  return [...new Set(names)].join(' / ')
}

/** Old and new, each whole: what goes is struck, what comes is bold and underlined. */
export function Changes({ changes }: { changes: readonly Change[] }) {
  return (
    <table className={styles.changes}>
      <thead>
        <tr>
          <th scope="col">text</th>
          <th scope="col">now</th>
          <th scope="col">then</th>
          <td aria-hidden="true" />
        </tr>
      </thead>
      <tbody>
        {changes.map((change) => (
          <ChangeRow key={change.id} change={change} />
        ))}
      </tbody>
    </table>
  )
}

function ChangeRow({ change }: { change: Change }) {
  const { before, after } = wordDifference(change.before, change.after)
  return (
    <tr>
      <th scope="row">
        {change.name}
        <span className={styles.where}>{change.where}</span>
      </th>
      <td className={styles.before}>
        <Pieces pieces={before} as="del" />
      </td>
      <td>
        <Pieces pieces={after} as="ins" />
      </td>
      <td className={styles.axis}>{change.axis}</td>
    </tr>
  )
}

function Pieces({ pieces, as: Changed }: { pieces: readonly Piece[]; as: 'del' | 'ins' }) {
  if (pieces.length === 0) return <i>nothing</i>
  return pieces.map(({ text, isChanged }, index) => {
    const key = `${index} ${text}`
    return isChanged ? <Changed key={key}>{text}</Changed> : <span key={key}>{text}</span>
  })
}

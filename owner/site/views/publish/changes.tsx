import { useMemo } from 'react'
import type { OwnKinds } from '#site/words/defaults.ts'
import { isSame, textAt, type Texts } from '#owner/site/draft/draft-difference.ts'
import { fieldGroups } from '#site/words/description.ts'
import { FieldLink } from '../groups/field-link.tsx'
import { asLines } from '../fields/shown-value.tsx'
import styles from './changes.module.css'
import { type Piece, wordPieces } from './word-pieces.ts'

/** A text or a file before and after. */
export interface Change {
  id: string
  kind: 'text' | 'file'
  name: React.ReactNode
  where: string
  before: string
  after: string
}

/** The texts that differ, in the order of the page. `own`: the owner's files after it. */
export function textChanges(before: Texts, after: Texts, own: OwnKinds): Change[] {
  const fields = fieldGroups().flatMap(({ parts }) => parts.flatMap((part) => part.fields))
  return fields
    .filter(({ path }) => !isSame(textAt(before, path, own), textAt(after, path, own)))
    .map(({ path, where }): Change => ({
      id: path,
      kind: 'text',
      name: <FieldLink path={path} />,
      where,
      before: asLines(textAt(before, path, own)).join(' / '),
      after: asLines(textAt(after, path, own)).join(' / '),
    }))
}

/** Old and new, each whole: what goes is struck, what comes is bold and underlined. */
export function Changes({ changes }: { changes: readonly Change[] }) {
  return (
    <table className={styles.changes}>
      <thead>
        <tr>
          <th scope="col">Text</th>
          <th scope="col">Now</th>
          <th scope="col">New</th>
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
  const { before, after } = change
  // The view is drawn anew every few seconds.
  const pieces = useMemo(() => wordPieces(before, after), [before, after])
  return (
    <tr>
      <th scope="row">
        {change.name}
        <span className={styles.where}>{change.where}</span>
      </th>
      <td className={styles.before}>
        <Pieces pieces={pieces.filter(({ added }) => !added)} as="del" />
      </td>
      <td>
        <Pieces pieces={pieces.filter(({ removed }) => !removed)} as="ins" />
      </td>
    </tr>
  )
}

interface PiecesProps {
  pieces: readonly Piece[]
  as: 'del' | 'ins'
}

function Pieces({ pieces, as: Changed }: PiecesProps) {
  if (pieces.length === 0) return <i>nothing</i>
  return pieces.map(({ value, added, removed }, index) => {
    const key = `${index} ${value}`
    return added || removed ? <Changed key={key}>{value}</Changed> : <span key={key}>{value}</span>
  })
}

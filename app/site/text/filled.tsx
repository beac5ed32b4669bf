import { Fragment, type ReactNode } from 'react'
import { splitAtNames, valueOf } from './fill.ts'

/** A text with elements, such as a link, in the places of its `{names}`. */
export function Filled({ text, ...values }: { text: string; [name: string]: ReactNode }) {
  return splitAtNames(text).map((piece, index) =>
    typeof piece === 'string' ? (
      piece
    ) : (
      // oxlint-disable-next-line react/no-array-index-key -- the pieces of a text keep their order
      <Fragment key={index}>{valueOf(piece.name, values, text)}</Fragment>
    ),
  )
}

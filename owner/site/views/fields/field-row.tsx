import { memo } from 'react'
import type { Finding } from '#site/words/finding.ts'
import { lettersIn } from '#site/words/checks/letters.ts'
import { asText, type ContentValue, type Field, type TextField } from '#site/words/description.ts'
import { Glyph } from '#owner/desk/views/parts/glyph.tsx'
import { LinkButton } from '#owner/desk/views/parts/link-button.tsx'
import { Soft } from '#owner/desk/views/parts/text.tsx'
import { isSame } from '#owner/site/draft/draft-difference.ts'
import type { Conflict } from '../draft/draft-keeper.ts'
import { ChooseText } from './choose-text.tsx'
import styles from './field.module.css'
import { ListFieldView } from './list-field.tsx'
import { FieldInput } from './text-input.tsx'

export interface FieldRowProps {
  field: Field
  value: ContentValue
  published: ContentValue
  /** The findings of the field, or of all in a list. */
  findings: readonly Finding[]
  /** Another device changed it. */
  conflict: Conflict | undefined
  actions: FieldActions
}

/** They stay the same while the view is open. */
export interface FieldActions {
  change(path: string, value: ContentValue): void
  keepMine(path: string): void
  takeTheirs(path: string): void
}

/** A field of the page, what is to be said about it, and the room that is left. */
export const FieldRow = memo(Row, hasSameProps)

function Row({ field, value, published, findings, conflict, actions }: FieldRowProps) {
  const { path } = field
  return (
    <div className={styles.field}>
      <div className={styles.main}>
        {conflict && (
          <ChooseText
            mine={value}
            conflict={conflict}
            onMine={() => actions.keepMine(path)}
            onTheirs={() => actions.takeTheirs(path)}
          />
        )}
        {field.kind === 'list' ? (
          <ListFieldView list={field} value={value} findings={findings} onChange={actions.change} />
        ) : (
          <FieldInput
            field={field}
            label={field.label}
            value={value}
            fault={findings.find(({ kind }) => kind === 'fault')?.message}
            onChange={(changed) => actions.change(path, changed)}
          />
        )}
        {!isSame(value, published) && (
          <Soft mt={4}>
            Changed{' '}
            <LinkButton onClick={() => actions.change(path, published)}>Put back</LinkButton>
          </Soft>
        )}
        <Looks findings={findings} />
      </div>
      <div className={styles.axis}>
        {field.kind !== 'list' && <RoomLeft field={field} value={value} />}
      </div>
    </div>
  )
}

function Looks({ findings }: { findings: readonly Finding[] }) {
  return findings
    .filter(({ kind }) => kind === 'warning')
    .map(({ path, message }) => (
      <Soft key={path + message} mt={4}>
        <Glyph mark="look" />
        {message}
      </Soft>
    ))
}

function RoomLeft({ field, value }: { field: TextField; value: ContentValue }) {
  if (field.room === undefined) return null
  const left = field.room - lettersIn(asText(value)).length
  if (left < 0) return <span className={styles.over}>−{-left}</span>
  return <>{left} left</>
}

function hasSameProps(one: FieldRowProps, other: FieldRowProps): boolean {
  return (
    one.field === other.field &&
    one.conflict === other.conflict &&
    one.actions === other.actions &&
    isSame([one.value, one.published, one.findings], [other.value, other.published, other.findings])
  )
}

import { Button } from '@mantine/core'
import { type RefObject, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { type ContentValue, entryFields, type ListField, valueAt } from '#site/words/description.ts'
import type { Finding } from '#site/words/finding.ts'
import { Note, Soft } from '#owner/desk/views/parts/text.tsx'
import { LinkButton } from '#owner/desk/views/parts/link-button.tsx'
import { emptyEntry } from './empty-entry.ts'
import styles from './field.module.css'
import { FaultWords, FieldInput } from './text-input.tsx'

interface ListFieldViewProps {
  list: ListField
  value: ContentValue
  /** The findings of the list and of all in it. */
  findings: readonly Finding[]
  onChange(path: string, value: ContentValue): void
}

/** A list: a row an entry, and buttons that change how many there are and their order. */
export function ListFieldView({ list, value, findings, onChange }: ListFieldViewProps) {
  const entries: readonly ContentValue[] = Array.isArray(value) ? value : []
  const { path, label, where, min, max } = list
  const box = useRef<HTMLFieldSetElement>(null)
  const changes = useListChanges({
    list,
    entries,
    box,
    onChange: (changed) => onChange(path, changed),
  })
  const ownFault = findings.find((one) => one.path === path && one.kind === 'fault')
  return (
    <fieldset ref={box} className={styles.list} data-path={path}>
      <legend className={styles.legend}>{label}</legend>
      <Soft fz={16}>{where}</Soft>
      {entries.map((entry, index) => (
        <Entry
          key={entryFields(list, index)[0]?.path}
          list={list}
          index={index}
          entry={entry}
          findings={findings}
          onChange={onChange}
          onMoveUp={index === 0 ? undefined : () => changes.moveUp(index)}
          onRemove={entries.length <= min ? undefined : () => changes.remove(index)}
        />
      ))}
      {changes.undo && (
        <Soft mt="xs">
          Removed. <LinkButton onClick={changes.undo}>Undo</LinkButton>
        </Soft>
      )}
      {entries.length < max && (
        <Button mt="xs" h={44} onClick={changes.add}>
          Add
        </Button>
      )}
      {entries.length <= min && min > 0 && (
        <Note mt="xs">
          {min === 1 ? 'At least one has to stay.' : `At least ${min} have to stay.`}
        </Note>
      )}
      {ownFault && <FaultWords>{ownFault.message}</FaultWords>}
    </fieldset>
  )
}

interface ListChangesOptions {
  list: ListField
  entries: readonly ContentValue[]
  box: RefObject<HTMLFieldSetElement | null>
  onChange(changed: readonly ContentValue[]): void
}

/** The focus follows the entry that was added or moved. */
function useListChanges({ list, entries, box, onChange }: ListChangesOptions) {
  const [removed, setRemoved] = useState<{ index: number; entry: ContentValue }>()
  const changeAndFocus = (changed: readonly ContentValue[], index: number) => {
    flushSync(() => onChange(changed))
    const path = `${list.path}.${index}`
    box.current?.querySelector<HTMLElement>(`[name="${path}"], [name^="${path}."]`)?.focus()
  }
  const undo = () => {
    if (!removed) return
    onChange(entries.toSpliced(removed.index, 0, removed.entry))
    setRemoved(undefined)
  }
  return {
    add: () => changeAndFocus([...entries, emptyEntry(list)], entries.length),
    moveUp(index: number) {
      const moved = entries.slice(index, index + 1)
      const others = entries.toSpliced(index, 1)
      changeAndFocus(others.toSpliced(index - 1, 0, ...moved), index - 1)
    },
    remove(index: number) {
      const entry = entries[index]
      if (entry !== undefined) setRemoved({ index, entry })
      onChange(entries.toSpliced(index, 1))
    },
    undo: removed && undo,
  }
}

interface EntryProps {
  list: ListField
  index: number
  entry: ContentValue
  findings: readonly Finding[]
  onChange(path: string, value: ContentValue): void
  /** It is undefined for the first. */
  onMoveUp: (() => void) | undefined
  /** It is undefined if so many have to stay. */
  onRemove: (() => void) | undefined
}

function Entry({ list, index, entry, findings, onChange, onMoveUp, onRemove }: EntryProps) {
  const fields = entryFields(list, index)
  const faultAt = (path: string) =>
    findings.find((one) => one.path === path && one.kind === 'fault')?.message
  const [first] = fields
  const isOneText = first?.name === ''
  return (
    <div className={styles.entry}>
      {isOneText && first.kind !== 'list' ? (
        <FieldInput
          field={first}
          aria-label={`${list.label}, ${index + 1}`}
          value={entry}
          fault={faultAt(first.path)}
          onChange={(value) => onChange(first.path, value)}
        />
      ) : (
        <div className={styles.entryTexts}>
          {fields.map((field) => {
            const value = valueAt(entry, field.name) ?? ''
            return field.kind === 'list' ? (
              <ListFieldView
                key={field.path}
                list={field}
                value={value}
                findings={findings}
                onChange={onChange}
              />
            ) : (
              <FieldInput
                key={field.path}
                field={field}
                label={`${index + 1}. ${field.label}`}
                value={value}
                fault={faultAt(field.path)}
                onChange={(changed) => onChange(field.path, changed)}
              />
            )
          })}
        </div>
      )}
      <div className={styles.buttons}>
        <button type="button" disabled={!onMoveUp} onClick={onMoveUp}>
          Move up
        </button>
        <button type="button" disabled={!onRemove} onClick={onRemove}>
          Remove
        </button>
      </div>
    </div>
  )
}

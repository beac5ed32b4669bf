import { Group, NativeSelect, Textarea, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import type { ContentValue, TextField } from '#site/words/description.ts'
import { withScheme } from '#site/words/difference.ts'
import { Glyph } from '#owner/desk/views/parts/glyph.tsx'
import styles from './field.module.css'

interface FieldInputProps {
  field: TextField
  value: ContentValue
  /** In words. Undefined: nothing is wrong. */
  fault?: string | undefined
  isReadOnly?: boolean
  /** The line above it. A text of a list has none of its own. */
  label?: ReactNode
  /** In place of a label. */
  'aria-label'?: string
  onChange(value: ContentValue): void
}

/** The input of one text, by its kind. Its name is the path. */
export function FieldInput({
  field,
  value,
  fault,
  isReadOnly,
  onChange,
  ...names
}: FieldInputProps) {
  const shownText = typeof value === 'object' ? '' : String(value)
  const shared = {
    ...names,
    name: field.path,
    value: shownText,
    description: names.label === undefined ? undefined : describe(field),
    error: fault === undefined ? undefined : <FaultWords>{fault}</FaultWords>,
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  }
  switch (field.kind) {
    case 'lines':
      return <Textarea {...shared} readOnly={isReadOnly} autosize minRows={1} />
    case 'link':
      return (
        <TextInput
          {...shared}
          readOnly={isReadOnly}
          inputMode="url"
          onBlur={() => onChange(withScheme(shownText))}
        />
      )
    case 'number':
      return (
        <TextInput
          {...shared}
          readOnly={isReadOnly}
          inputMode="numeric"
          onChange={(event) => onChange(asNumber(event.currentTarget.value))}
        />
      )
    case 'choice':
      return <NativeSelect {...shared} disabled={isReadOnly === true} data={choicesOf(field)} />
    case 'colour':
      return <ColourInput {...shared} isReadOnly={isReadOnly} />
    default:
      return <TextInput {...shared} readOnly={isReadOnly} />
  }
}

function describe({ where, hidden }: TextField): string {
  return hidden ? `${where} Not shown.` : where
}

function choicesOf({ choices = {}, optional }: TextField) {
  const all = Object.entries(choices).map(([value, label]) => ({ value, label }))
  return optional ? [{ value: '', label: 'none' }, ...all] : all
}

/** A value that is no number stays as it was typed, so that the field can say so. */
function asNumber(typed: string): string | number {
  return /^\d{1,6}$/.test(typed) ? Number(typed) : typed
}

interface ColourInputProps {
  name: string
  label?: ReactNode
  description?: ReactNode
  error?: ReactNode
  value: string
  isReadOnly: boolean | undefined
  onChange(event: { currentTarget: { value: string } }): void
}

/** Typed, or chosen as the browser offers it. */
export function ColourInput({ value, isReadOnly, onChange, ...shared }: ColourInputProps) {
  const isColour = /^#[\da-f]{6}$/i.test(value)
  return (
    <Group gap="xs" align="flex-end" wrap="nowrap">
      <TextInput {...shared} value={value} readOnly={isReadOnly} onChange={onChange} flex={1} />
      <input
        type="color"
        className={styles.colour}
        aria-label="Choose the colour"
        disabled={isReadOnly}
        value={isColour ? value : '#000000'}
        onChange={onChange}
      />
    </Group>
  )
}

export function FaultWords({ children }: { children: string }) {
  return (
    <strong className={styles.fault}>
      <Glyph mark="wrong" />
      {children}
    </strong>
  )
}

import type { InputHTMLAttributes, ReactNode } from 'react'
import { AlertDiamond } from './glyphs.tsx'

interface TextFieldProps extends InputHTMLAttributes<HTMLInputElement> {
  id: string
  label: string
  /** Marks the field; a `FieldFault` with the same id says why. */
  invalid: boolean
  /** Beside the field, or below it where the row is narrow. */
  children: ReactNode
}

export function TextField({ id, label, invalid, children, ...input }: TextFieldProps) {
  return (
    <div>
      <label className="label" htmlFor={id}>
        {label}
      </label>
      <div className="row">
        <input
          {...input}
          {...(invalid && { 'aria-invalid': true, 'aria-describedby': faultId(id) })}
          className="field"
          id={id}
        />
        {children}
      </div>
    </div>
  )
}

/** Says why the value of the field is invalid. */
export function FieldFault({ fieldId, children }: { fieldId: string; children: string }) {
  return (
    <p className="fault" id={faultId(fieldId)}>
      <AlertDiamond />
      {children}
    </p>
  )
}

function faultId(fieldId: string): string {
  return `${fieldId}-fault`
}

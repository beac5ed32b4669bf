import type { InputHTMLAttributes, ReactNode, Ref } from 'react'
import { AlertDiamond } from './glyphs.tsx'

interface TextFieldProps extends InputHTMLAttributes<HTMLInputElement> {
  id: string
  label: string
  /** Marks the field; a `FieldFault` for the same id says why. */
  invalid: boolean
  /** Stands at the field's right edge, or below it where the row is narrow. */
  children: ReactNode
  ref?: Ref<HTMLInputElement>
}

export function TextField({ id, label, invalid, children, ref, ...input }: TextFieldProps) {
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
          ref={ref}
        />
        {children}
      </div>
    </div>
  )
}

/** What is wrong with the value of the field. */
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

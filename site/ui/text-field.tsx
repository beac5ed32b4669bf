import type { InputHTMLAttributes, ReactNode, Ref } from 'react'
import { AlertDiamond } from './glyphs.tsx'

interface TextFieldProps extends InputHTMLAttributes<HTMLInputElement> {
  id: string
  label: string
  /** What is wrong with the value; marks the field and stands under it. */
  fault?: string | undefined
  /** Stands at the field's right edge, or below it where the row is narrow. */
  children: ReactNode
  ref?: Ref<HTMLInputElement>
}

export function TextField({ id, label, fault, children, ref, ...input }: TextFieldProps) {
  const faultId = `${id}-fault`
  return (
    <>
      <label className="label" htmlFor={id}>
        {label}
      </label>
      <div className="row">
        <input
          {...input}
          {...(fault && { 'aria-invalid': true, 'aria-describedby': faultId })}
          className="field"
          id={id}
          ref={ref}
        />
        {children}
      </div>
      {fault && (
        <p className="fault" id={faultId}>
          <AlertDiamond />
          {fault}
        </p>
      )}
    </>
  )
}

import { Textarea } from '@mantine/core'

interface PastedTextProps {
  name: string
  label: string
  value: string
  onChange(value: string): void
}

/** A field for lines from another program, such as code. */
export function PastedText({ name, label, value, onChange }: PastedTextProps) {
  return (
    <Textarea
      name={name}
      label={label}
      autosize
      minRows={4}
      maxRows={12}
      spellCheck={false}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

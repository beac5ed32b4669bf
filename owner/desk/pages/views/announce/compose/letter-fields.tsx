import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core'
import { useRef } from 'react'
import { applyMark, type Mark, marks } from './markdown-marks.ts'
import type { Words } from './use-choices.ts'

interface LetterFieldsProps {
  words: Words
  subjectError?: string | undefined
  onChange: (changed: Partial<Words>) => void
}

/** The words of a letter, and the buttons that write Markdown. */
export function LetterFields({ words, subjectError, onChange }: LetterFieldsProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  const press = (mark: Mark) => {
    if (!field.current) return
    const { selectionStart, selectionEnd } = field.current
    const marked = applyMark(mark, { text: words.text, selectionStart, selectionEnd })
    onChange({ text: marked.text })
    field.current.focus()
    // The field shows the new text only after this turn.
    requestAnimationFrame(() =>
      field.current?.setSelectionRange(marked.selectionStart, marked.selectionEnd),
    )
  }
  return (
    <Stack mt="sm">
      <TextInput
        label="Subject"
        value={words.subject}
        error={subjectError}
        onChange={(event) => onChange({ subject: event.target.value })}
      />
      <TextInput
        label="Preview line"
        description="Mail programs show it after the subject. Empty: the first words of the text."
        value={words.preview}
        onChange={(event) => onChange({ preview: event.target.value })}
      />
      <Group gap="xs" role="toolbar" aria-label="Format">
        {marks.map((mark) => (
          <Button key={mark} size="compact-sm" onClick={() => press(mark)}>
            {mark}
          </Button>
        ))}
      </Group>
      <Textarea
        ref={field}
        label="Text"
        description="An empty line parts paragraphs."
        autosize
        minRows={10}
        value={words.text}
        onChange={(event) => onChange({ text: event.target.value })}
      />
    </Stack>
  )
}

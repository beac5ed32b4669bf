import { Button, FileButton, Group, Stack, Textarea, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type DragEvent, useRef } from 'react'
import { errorMessage } from '#owner/desk/views/api/errors.ts'
import { useTRPC } from '#owner/desk/views/api/trpc.ts'
import { notifyFault } from '#owner/desk/views/parts/actions/notify.ts'
import { applyMark, insertPicture, type Mark, type MarkedText, marks } from './markdown-marks.ts'
import { asBase64, scalePicture } from './scale-picture.ts'
import type { Words } from './use-choices.ts'

interface LetterFieldsProps {
  words: Words
  subjectError?: string | undefined
  onChange: (changed: Partial<Words>) => void
}

/** The words of a letter, and the buttons that write Markdown. */
export function LetterFields({ words, subjectError, onChange }: LetterFieldsProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  const write = (mark: (before: MarkedText) => MarkedText) => {
    if (!field.current) return
    const { value, selectionStart, selectionEnd } = field.current
    const marked = mark({ text: value, selectionStart, selectionEnd })
    onChange({ text: marked.text })
    field.current.focus()
    // The field shows the new text only after this turn.
    requestAnimationFrame(() =>
      field.current?.setSelectionRange(marked.selectionStart, marked.selectionEnd),
    )
  }
  const addPicture = useAddPicture((path) => write((before) => insertPicture(path, before)))
  const drop = (event: DragEvent) => {
    const [file] = event.dataTransfer.files
    if (!file) return
    event.preventDefault()
    void addPicture(file)
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
      <FormatBar
        onMark={(mark) => write((before) => applyMark(mark, before))}
        onPicture={(file) => void addPicture(file)}
      />
      <Textarea
        ref={field}
        label="Text"
        description="An empty line parts paragraphs. Drop a picture here, and describe it between the brackets."
        onDrop={drop}
        autosize
        minRows={10}
        value={words.text}
        onChange={(event) => onChange({ text: event.target.value })}
      />
    </Stack>
  )
}

interface FormatBarProps {
  onMark: (mark: Mark) => void
  onPicture: (file: File) => void
}

function FormatBar({ onMark, onPicture }: FormatBarProps) {
  return (
    <Group gap="xs" role="toolbar" aria-label="Format">
      {marks.map((mark) => (
        <Button key={mark} size="compact-sm" onClick={() => onMark(mark)}>
          {mark}
        </Button>
      ))}
      <FileButton accept="image/png,image/jpeg" onChange={(file) => file && onPicture(file)}>
        {(button) => (
          <Button {...button} size="compact-sm">
            Picture
          </Button>
        )}
      </FileButton>
    </Group>
  )
}

/** Scales and uploads a picture. `onAdded` gets its path. */
function useAddPicture(onAdded: (path: string) => void) {
  const trpc = useTRPC()
  const { mutateAsync } = useMutation(trpc.letters.addPicture.mutationOptions())
  return async (file: File) => {
    try {
      onAdded(await mutateAsync({ content: await asBase64(await scalePicture(file)) }))
    } catch (error) {
      notifyFault(errorMessage(error) ?? 'The picture cannot be read.')
    }
  }
}

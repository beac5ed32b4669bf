import { Button, FileButton, Group, Stack, Textarea, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type DragEvent, useRef, useState } from 'react'
import { errorMessage } from '#owner/desk/views/api/errors.ts'
import { useTRPC } from '#owner/desk/views/api/trpc.ts'
import { notifyFault } from '#owner/desk/views/parts/actions/notify.ts'
import { scalePicture } from '#owner/desk/views/parts/actions/scale-picture.ts'
import { widestPicture } from '#owner/mailings/limits.ts'
import { LinkDialog } from './link-dialog.tsx'
import {
  applyMark,
  insertLink,
  insertPicture,
  type Mark,
  type MarkedText,
  marks,
} from './markdown-marks.ts'
import type { Changes, Letter } from './use-letter.ts'

interface LetterFieldsProps {
  letter: Pick<Letter, 'subject' | 'preview' | 'words'>
  onChange: (changed: Changes) => void
}

/** The words of a letter, and the buttons that write Markdown. */
export function LetterFields({ letter, onChange }: LetterFieldsProps) {
  const [selected, setSelected] = useState<string>()
  const field = useRef<HTMLTextAreaElement>(null)
  const write = (mark: (before: MarkedText) => MarkedText) => {
    if (!field.current) return
    const { value, selectionStart, selectionEnd } = field.current
    const marked = mark({ text: value, selectionStart, selectionEnd })
    onChange({ words: marked.text })
    field.current.focus()
    // The field shows the new text only after this turn.
    requestAnimationFrame(() =>
      field.current?.setSelectionRange(marked.selectionStart, marked.selectionEnd),
    )
  }
  const addPicture = useAddPicture((path) => write((before) => insertPicture(path, before)))
  return (
    <Stack mt="sm">
      <TextInput
        label="Subject"
        value={letter.subject}
        onChange={(event) => onChange({ subject: event.target.value })}
      />
      <TextInput
        label="Preview line"
        description="Mail programs show it after the subject. Empty: the first words of the text."
        value={letter.preview}
        onChange={(event) => onChange({ preview: event.target.value })}
      />
      <FormatBar
        onMark={(mark) => write((before) => applyMark(mark, before))}
        onLink={() => setSelected(selectionOf(field.current))}
        onPicture={(file) => void addPicture(file)}
      />
      <Textarea
        ref={field}
        label="Text"
        description="An empty line starts a new paragraph. Drop a picture here, and describe it between the brackets."
        onDrop={(event) => dropOn(event, addPicture)}
        autosize
        minRows={10}
        value={letter.words}
        onChange={(event) => onChange({ words: event.target.value })}
      />
      {selected !== undefined && (
        <LinkDialog
          selected={selected}
          onClose={() => setSelected(undefined)}
          onLink={(link) => {
            setSelected(undefined)
            write((before) => insertLink(link, before))
          }}
        />
      )}
    </Stack>
  )
}

function dropOn(event: DragEvent, add: (file: File) => Promise<void>): void {
  const [file] = event.dataTransfer.files
  if (!file) return
  event.preventDefault()
  void add(file)
}

function selectionOf(field: HTMLTextAreaElement | null): string {
  return field ? field.value.slice(field.selectionStart, field.selectionEnd) : ''
}

interface FormatBarProps {
  onMark: (mark: Mark) => void
  onLink: () => void
  onPicture: (file: File) => void
}

function FormatBar({ onMark, onLink, onPicture }: FormatBarProps) {
  return (
    <Group gap="xs" role="toolbar" aria-label="Format">
      {marks.map((mark) => (
        <Button key={mark} size="compact-sm" onClick={() => onMark(mark)}>
          {mark}
        </Button>
      ))}
      <Button size="compact-sm" onClick={onLink}>
        Link
      </Button>
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
  const { mutateAsync } = useMutation(trpc.mailings.addPicture.mutationOptions())
  return async (file: File) => {
    try {
      const scaled = await scalePicture(file, { width: widestPicture })
      onAdded(await mutateAsync({ content: await asBase64(scaled) }))
    } catch (error) {
      notifyFault(errorMessage(error) ?? 'The picture cannot be read.')
    }
  }
}

async function asBase64(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer())
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}

import { Button, Group } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type DragEvent, type ReactNode, useRef, useState } from 'react'
import { errorMessage } from '../../../api/errors.ts'
import { useTRPC, useTRPCClient } from '../../../api/trpc.ts'
import { formatFileSize } from '../../../format/format.ts'
import { useFollowUp } from '../../../parts/actions/follow-up.ts'
import { Fault } from '../../../parts/fault.tsx'
import { LinkButton } from '../../../parts/link-button.tsx'
import { Note, Soft } from '../../../parts/text.tsx'
import type { PageState } from '../draft/use-draft.ts'
import { type FileKind, fileNames, fileRules } from './file-names.ts'
import styles from './files.module.css'

interface FileRowProps {
  kind: FileKind
  file: PageState['files'][FileKind]
  /** What it is now. */
  children: ReactNode
}

/** One file. The whole row takes a dropped one. */
export function FileRow({ kind, file, children }: FileRowProps) {
  const { rules, accept } = fileRules[kind]
  const upload = useUpload(kind)
  const [isOver, setOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    upload.start(event.dataTransfer.files[0])
  }
  const hover = (event: DragEvent) => {
    event.preventDefault()
    setOver(true)
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a button takes it too
    <section
      aria-label={fileNames[kind]}
      className={styles.row}
      data-over={isOver || undefined}
      data-loading={upload.isPending || undefined}
      onDragOver={hover}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <div>
        <strong>{fileNames[kind]}</strong>
        {file.name !== null && <Note>{file.name}</Note>}
        <Soft fz={15}>{rules}</Soft>
      </div>
      <div>
        {children}
        <Fault>{upload.fault}</Fault>
      </div>
      <div className={styles.buttons}>
        <ChooseButton kind={kind} accept={accept} isOwn={file.isOwn} upload={upload} />
        <OtherFile kind={kind} file={file} />
      </div>
      <div className={styles.axis}>{file.size === null ? 'ours' : formatFileSize(file.size)}</div>
    </section>
  )
}

function useUpload(kind: FileKind) {
  const trpc = useTRPC()
  const client = useTRPCClient()
  const queryClient = useQueryClient()
  const stop = useRef<AbortController>(undefined)
  const mutation = useMutation({
    mutationFn: async (chosen: File) => {
      stop.current = new AbortController()
      const base64 = new Uint8Array(await chosen.arrayBuffer()).toBase64()
      const { signal } = stop.current
      const sending = client.page.files.put.mutate({ kind, name: chosen.name, base64 }, { signal })
      await sending.catch((fault: unknown) => {
        if (!signal.aborted) throw fault
      })
    },
    onSettled: () => queryClient.invalidateQueries(trpc.page.pathFilter()),
  })
  return {
    start: (chosen: File | null | undefined) => chosen && mutation.mutate(chosen),
    stop: () => stop.current?.abort(),
    isPending: mutation.isPending,
    fault: errorMessage(mutation.error),
  }
}

interface ChooseButtonProps {
  kind: FileKind
  accept: string
  isOwn: boolean
  upload: ReturnType<typeof useUpload>
}

function ChooseButton({ kind, accept, isOwn, upload }: ChooseButtonProps) {
  if (upload.isPending) return <Button onClick={upload.stop}>Stop</Button>
  return (
    <label className={styles.choose}>
      <input
        type="file"
        name={kind}
        accept={accept}
        aria-label={`${fileNames[kind]}: ${isOwn ? 'choose another' : 'choose a file'}`}
        onChange={({ currentTarget }) => {
          upload.start(currentTarget.files?.[0])
          currentTarget.value = ''
        }}
      />
      <span>{isOwn ? 'Choose another' : 'Choose a file'}</span>
    </label>
  )
}

/** Ours instead of an own one, or what is published instead of what was chosen. */
function OtherFile({ kind, file }: Pick<FileRowProps, 'kind' | 'file'>) {
  const trpc = useTRPC()
  const followUp = useFollowUp()
  const options = followUp({ refresh: [trpc.page.pathFilter()] })
  const takeOurs = useMutation(trpc.page.files.takeOurs.mutationOptions(options))
  const putBack = useMutation(trpc.page.files.putBack.mutationOptions(options))
  return (
    <Group gap="md">
      {file.isOwn && (
        <LinkButton onClick={() => takeOurs.mutate({ kind })}>
          {kind === 'sharePicture' ? 'Draw it again' : 'Use ours'}
        </LinkButton>
      )}
      {file.isChanged && <LinkButton onClick={() => putBack.mutate({ kind })}>Put back</LinkButton>}
    </Group>
  )
}

import { Button, Group } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type DragEvent, type ReactNode, useState } from 'react'
import { useTRPC } from '#owner/desk/views/api/trpc.ts'
import { formatFileSize } from '#owner/desk/views/format/format.ts'
import { ChooseFileButton } from '#owner/desk/views/parts/actions/choose-file-button.tsx'
import { useFollowUp } from '#owner/desk/views/parts/actions/follow-up.ts'
import { Fault } from '#owner/desk/views/parts/fault.tsx'
import { LinkButton } from '#owner/desk/views/parts/link-button.tsx'
import { Note, Soft } from '#owner/desk/views/parts/text.tsx'
import type { PageState } from '../draft/use-draft.ts'
import { ChooseText } from '../fields/choose-text.tsx'
import { fileNames } from '#owner/site/draft/file-words.ts'
import type { FileKind } from '#site/source.ts'
import { fileRules, wordsWithoutFile } from './file-rules.ts'
import { PasteScript } from './paste-script.tsx'
import { type Upload, type UploadProgress, useUpload } from './use-upload.ts'
import styles from './files.module.css'

interface FileRowProps {
  kind: FileKind
  file: PageState['files'][FileKind]
  /** The revision of the page that is shown. */
  revision: number
  /** Its name and size, or that it is ours. */
  children: ReactNode
}

/** One file. The whole row takes a dropped one. */
export function FileRow({ kind, file, revision, children }: FileRowProps) {
  const { rules, accept } = fileRules[kind]
  const upload = useUpload(kind)
  const [isOver, setOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const [dropped] = event.dataTransfer.files
    if (dropped) upload.start(dropped, revision)
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
      data-loading={upload.progress !== undefined || undefined}
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
        <ChooseFile kind={kind} upload={upload} />
        {children}
        {kind === 'script' && (
          <PasteScript onPaste={(pasted, onTaken) => upload.start(pasted, revision, onTaken)} />
        )}
        <Fault>{upload.fault}</Fault>
      </div>
      <div className={styles.buttons}>
        <ChooseOrStop
          kind={kind}
          accept={accept}
          isOwn={file.isOwn}
          upload={upload}
          onChoose={(chosen) => upload.start(chosen, revision)}
        />
        <OtherFile kind={kind} file={file} />
      </div>
      <div className={styles.axis}>{sizeOf(kind, file, upload.progress)}</div>
    </section>
  )
}

/** Returns the size of the file, or of the part that was sent so far. */
function sizeOf(
  kind: FileKind,
  { size }: FileRowProps['file'],
  progress: UploadProgress | undefined,
): string {
  if (progress) return `${formatFileSize(progress.sent)} of ${formatFileSize(progress.size)}`
  return size === null ? wordsWithoutFile[kind] : formatFileSize(size)
}

const wordsOfRemoval = { ours: 'Use ours', drawn: 'Draw it again', none: 'Remove' }

/** Two devices chose a file: both are named, and nothing is changed before one is kept. */
function ChooseFile({ kind, upload }: { kind: FileKind; upload: Upload }) {
  if (!upload.conflict) return null
  const { mine, theirs } = upload.conflict
  return (
    <ChooseText
      mine={describeFile(mine.name, mine.size)}
      conflict={{
        theirs: theirs.theirs
          ? describeFile(theirs.theirs.name, theirs.theirs.size)
          : wordsWithoutFile[kind],
        changedAt: theirs.changedAt,
      }}
      onMine={() => upload.start(mine, theirs.revision)}
      onTheirs={upload.takeTheirs}
    />
  )
}

function describeFile(name: string, size: number): string {
  return `${name}, ${formatFileSize(size)}`
}

interface ChooseOrStopProps {
  kind: FileKind
  accept: string
  isOwn: boolean
  upload: Upload
  onChoose(chosen: File): void
}

function ChooseOrStop({ kind, accept, isOwn, upload, onChoose }: ChooseOrStopProps) {
  if (upload.progress) return <Button onClick={upload.stop}>Stop</Button>
  return (
    <ChooseFileButton
      name={kind}
      accept={accept}
      aria-label={`${fileNames[kind]}: ${isOwn ? 'choose another' : 'choose a file'}`}
      onChoose={onChoose}
    >
      {wordsOfChoice(kind, isOwn)}
    </ChooseFileButton>
  )
}

function wordsOfChoice(kind: FileKind, isOwn: boolean): string {
  if (isOwn) return 'Choose another'
  return kind === 'sharePicture' ? 'Use my own' : 'Choose a file'
}

/** None or ours instead of an own one, or what is published instead of what was chosen. */
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
          {wordsOfRemoval[wordsWithoutFile[kind]]}
        </LinkButton>
      )}
      {file.isChanged && <LinkButton onClick={() => putBack.mutate({ kind })}>Put back</LinkButton>}
    </Group>
  )
}

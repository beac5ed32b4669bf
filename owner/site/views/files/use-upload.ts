import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { deskApiPath } from '#contract/desk-paths.ts'
import type { FileConflict } from '#owner/site/files/take-file.ts'
import { errorMessage } from '#owner/desk/views/api/errors.ts'
import { answerOf, sendFile } from '#owner/desk/views/api/send-file.ts'
import { useTRPC } from '#owner/desk/views/api/trpc.ts'
import { scalePicture } from '#owner/desk/views/parts/actions/scale-picture.ts'
import { useProof } from '#owner/desk/views/proof/proof-context.tsx'
import type { FileKind } from '#site/source.ts'

export interface Upload {
  /** `revision`: of the page that the owner saw here. `onTaken`: called if nothing is wrong. */
  start(chosen: File, revision: number, onTaken?: () => void): void
  stop(): void
  /** It is undefined if nothing is being sent. */
  progress: UploadProgress | undefined
  fault: string | undefined
  conflict: UploadConflict | undefined
  /** The other device's file stays. */
  takeTheirs(): void
}

export interface UploadProgress {
  /** In bytes. */
  sent: number
  /** In bytes. */
  size: number
}

/** Two devices chose a file. */
interface UploadConflict {
  mine: File
  theirs: FileConflict
}

/** Sends a chosen file into the draft. */
export function useUpload(kind: FileKind): Upload {
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const { callWithProof } = useProof()
  const sending = useRef<AbortController>(undefined)
  const [progress, setProgress] = useState<UploadProgress>()
  const [conflict, setConflict] = useState<UploadConflict>()
  const mutation = useMutation({
    mutationFn: async ({ given, revision }: { given: File; revision: number }) => {
      const chosen = await fileToSend(kind, given)
      sending.current = new AbortController()
      const { signal } = sending.current
      const query = new URLSearchParams({ kind, name: chosen.name, revision: String(revision) })
      const onProgress = (sent: number) => setProgress({ sent, size: chosen.size })
      onProgress(0)
      try {
        const response = await callWithProof(() =>
          sendFile(`${deskApiPath}/page-file?${query}`, chosen, { signal, onProgress }),
        )
        const answer = await answerOf<{ conflict: FileConflict | null }>(response)
        setConflict(answer.conflict ? { mine: chosen, theirs: answer.conflict } : undefined)
      } catch (fault) {
        if (!signal.aborted) throw fault
      }
    },
    onSettled: () => {
      setProgress(undefined)
      return queryClient.invalidateQueries(trpc.page.pathFilter())
    },
  })
  return {
    start: (given, revision, onTaken) =>
      mutation.mutate({ given, revision }, onTaken && { onSuccess: onTaken }),
    stop: () => sending.current?.abort(),
    progress,
    fault: errorMessage(mutation.error),
    conflict,
    takeTheirs: () => setConflict(undefined),
  }
}

/** Twice the width on the page, for sharp screens. */
const portraitWidth = 192

/** A phone's picture is a JPEG of several MB. */
async function fileToSend(kind: FileKind, chosen: File): Promise<File> {
  if (kind !== 'portrait') return chosen
  return await scalePicture(chosen, { width: portraitWidth, type: 'image/png' })
}

import { Button, FileInput, NativeSelect, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { SuppressSummary } from '#owner/people/suppress/suppress-file.ts'
import { errorMessage } from '#owner/desk/views/api/errors.ts'
import { answerOf } from '#owner/desk/views/api/send-file.ts'
import { useTRPC } from '#owner/desk/views/api/trpc.ts'
import { counted, formatNumber } from '#owner/desk/views/format/format.ts'
import { ConfirmButton } from '#owner/desk/views/parts/actions/confirm-button.tsx'
import { useFollowUp } from '#owner/desk/views/parts/actions/follow-up.ts'
import { LoadingRows } from '#owner/desk/views/parts/outline/rows.tsx'
import { Section } from '#owner/desk/views/parts/outline/section.tsx'
import { usePostFile } from '#owner/desk/views/proof/use-post-file.ts'

interface SuppressWish {
  file: File
  reason: string
}

const reasons = [
  { value: '', label: 'As the file says' },
  { value: 'returned', label: 'Their mail came back' },
  { value: 'complaint', label: 'They complained' },
  { value: 'unsubscribed', label: 'They unsubscribed' },
]

/** Takes people off the list who bounced, complained or left elsewhere. */
export function Suppress() {
  const [isOpen, setOpen] = useState(false)
  return (
    <Section
      heading="Take people off the list"
      note="A file of bounces, complaints or people who left, from your mail provider or another tool."
      actions={!isOpen && <Button onClick={() => setOpen(true)}>Use a CSV file</Button>}
      isKept
    >
      {isOpen && <Table />}
    </Section>
  )
}

/** The file, and why its people come off. */
function Table() {
  const send = useSendTable()
  const [file, setFile] = useState<File>()
  const [reason, setReason] = useState('')
  const tryOut = useMutation({
    mutationFn: async (tried: SuppressWish) =>
      answerOf<SuppressSummary>(await send('suppress-file', tried)),
  })
  const choose = (chosen: File | undefined, why: string) => {
    tryOut.reset()
    setFile(chosen)
    setReason(why)
    if (chosen) tryOut.mutate({ file: chosen, reason: why })
  }
  return (
    <>
      <Stack maw={620}>
        <FileInput
          label="A CSV file of people who come off"
          placeholder="Choose a file"
          accept=".csv,text/csv,text/plain"
          error={errorMessage(tryOut.error)}
          onChange={(chosen) => choose(chosen ?? undefined, reason)}
        />
        <NativeSelect
          label="Why they come off"
          value={reason}
          data={reasons}
          onChange={(event) => choose(file, event.target.value)}
        />
      </Stack>
      {tryOut.isPending && <LoadingRows />}
      {file && tryOut.data && (
        <TriedOut wish={{ file, reason }} tried={tryOut.data} onStarted={() => tryOut.reset()} />
      )}
    </>
  )
}

function useSendTable() {
  const postFile = usePostFile()
  return (route: 'suppress-file' | 'start-suppress', { file, reason }: SuppressWish) =>
    postFile(`${route}${reason && `?reason=${reason}`}`, file)
}

interface TriedOutProps {
  wish: SuppressWish
  tried: SuppressSummary
  onStarted: () => void
}

/** Tells what would happen. */
function TriedOut({ wish, tried, onStarted }: TriedOutProps) {
  const trpc = useTRPC()
  const followUp = useFollowUp()
  const send = useSendTable()
  const { onSuccess, onSettled } = followUp({
    refresh: [trpc.people.pathFilter(), trpc.jobs.pathFilter()],
    done: 'They come off the list in the background.',
  })
  const start = useMutation({
    mutationFn: async (chosen: SuppressWish) => answerOf(await send('start-suppress', chosen)),
    onSuccess: () => {
      onSuccess()
      onStarted()
    },
    onSettled,
  })
  const people = counted(sumOf(tried), 'person', 'people')
  return (
    <Section heading={`${people} would come off`} note={describe(tried)}>
      <ConfirmButton
        words={`Take ${people} off`}
        variant="filled"
        disabled={sumOf(tried) === 0}
        mutation={start}
        input={wish}
      >
        They get no more mail. Whoever complained cannot sign up again.
      </ConfirmButton>
    </Section>
  )
}

function sumOf({ taken: { returned, unsubscribed, complaint } }: SuppressSummary): number {
  return returned + unsubscribed + complaint
}

function describe({ taken, unchanged, strangers }: SuppressSummary): string {
  const { returned, unsubscribed, complaint } = taken
  const sentences = [
    `${formatNumber(returned)} cannot be reached, ${formatNumber(unsubscribed)} unsubscribed, ${formatNumber(complaint)} complained.`,
  ]
  if (unchanged > 0) {
    sentences.push(
      `${counted(unchanged, 'line does', 'lines do')} not say that a mailbox is gone, or that somebody left.`,
    )
  }
  if (strangers > 0) {
    sentences.push(`${counted(strangers, 'address is', 'addresses are')} not on the list.`)
  }
  return sentences.join(' ')
}

import { FileInput, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { errorMessage } from '#owner/desk/views/api/errors.ts'
import { useTRPC } from '#owner/desk/views/api/trpc.ts'
import { LoadingRows } from '#owner/desk/views/parts/outline/rows.tsx'
import { Section } from '#owner/desk/views/parts/outline/section.tsx'
import { View } from '#owner/desk/views/parts/outline/view.tsx'
import { Jobs } from '#owner/desk/views/jobs.tsx'
import { AddPerson } from './add-person.tsx'
import { LastImport } from './last-import.tsx'
import { MatchColumns } from './match-columns.tsx'
import { Suppress } from './suppress.tsx'
import { backToPeople } from '../person.tsx'

/** The names of the columns stand at the beginning of the file. */
const headerBytes = 60_000

/** A CSV file from another tool: its columns are matched, it is tried out, and put on the list. */
export function Import() {
  const trpc = useTRPC()
  const [file, setFile] = useState<File>()
  const header = useMutation(trpc.import.header.mutationOptions())
  const choose = async (chosen: File | null) => {
    header.reset()
    setFile(chosen ?? undefined)
    if (chosen) header.mutate(await chosen.slice(0, headerBytes).text())
  }
  return (
    <View
      heading="Import people"
      back={backToPeople}
      note="Put people from another tool on the list. Nobody is mailed, and people already on the list stay as they are."
      actions={<AddPerson />}
    >
      <Jobs />
      <LastImport />
      <Section heading="The file">
        <Stack maw={620}>
          <FileInput
            label="A CSV file"
            description="Its first line names the columns."
            placeholder="Choose a file"
            accept=".csv,text/csv,text/plain"
            error={errorMessage(header.error)}
            onChange={(chosen) => void choose(chosen)}
          />
        </Stack>
        {header.isPending && <LoadingRows />}
      </Section>
      {file && header.data && (
        <MatchColumns key={header.submittedAt} file={file} header={header.data} />
      )}
      <Suppress />
    </View>
  )
}

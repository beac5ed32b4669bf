import { Button, Group, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { errorMessage } from '#owner/desk/views/api/errors.ts'
import { useTRPC } from '#owner/desk/views/api/trpc.ts'
import { useFollowUp } from '#owner/desk/views/parts/actions/follow-up.ts'
import { Fault } from '#owner/desk/views/parts/fault.tsx'
import { Glyph } from '#owner/desk/views/parts/glyph.tsx'

/** Asks for the version of a script that does not say it. */
export function VersionLine() {
  const trpc = useTRPC()
  const followUp = useFollowUp()
  const [version, setVersion] = useState('1.0.0')
  const [date, setDate] = useState(() => new Date().toISOString().slice(0, 10))
  const put = useMutation(
    trpc.page.files.setVersion.mutationOptions(followUp({ refresh: [trpc.page.pathFilter()] })),
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    put.mutate({ version, date })
  }
  return (
    <form onSubmit={submit}>
      <p>
        <Glyph mark="wrong" />
        No version line was found. It is written below the first line of your script.
      </p>
      <Group align="flex-end">
        <TextInput
          label="Version"
          name="version"
          value={version}
          pattern="\d+\.\d+\.\d+"
          onChange={(event) => setVersion(event.target.value)}
        />
        <TextInput
          label="Day"
          name="date"
          type="date"
          value={date}
          onChange={(event) => setDate(event.target.value)}
        />
        <Button type="submit" h={42} loading={put.isPending}>
          Put it in
        </Button>
      </Group>
      <Fault>{errorMessage(put.error)}</Fault>
    </form>
  )
}

import { Button, Group, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { errorMessage } from '#owner/desk/views/api/errors.ts'
import { useTRPC } from '#owner/desk/views/api/trpc.ts'
import { useFollowUp } from '#owner/desk/views/parts/actions/follow-up.ts'
import { Fault } from '#owner/desk/views/parts/fault.tsx'
import { Glyph } from '#owner/desk/views/parts/glyph.tsx'

/** Asks for the version of a script that does not say it. */
export function VersionLine() {
  const trpc = useTRPC()
  const followUp = useFollowUp()
  const form = useForm({ initialValues: firstVersion() })
  const put = useMutation(
    trpc.page.files.setVersion.mutationOptions(followUp({ refresh: [trpc.page.pathFilter()] })),
  )
  return (
    <form onSubmit={form.onSubmit((typed) => put.mutate(typed))}>
      <p>
        <Glyph mark="wrong" />
        No version line was found. It is written at the top of your script.
      </p>
      <Group align="flex-end">
        <TextInput
          label="Version"
          name="version"
          pattern="\d+\.\d+\.\d+"
          {...form.getInputProps('version')}
        />
        <TextInput label="Day" name="date" type="date" {...form.getInputProps('date')} />
        <Button type="submit" h={42} loading={put.isPending}>
          Add version line
        </Button>
      </Group>
      <Fault>{errorMessage(put.error)}</Fault>
    </form>
  )
}

function firstVersion() {
  return { version: '1.0.0', date: new Date().toISOString().slice(0, 10) }
}

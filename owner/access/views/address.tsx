import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQuery } from '@tanstack/react-query'
import { errorMessage, fieldError } from '#owner/desk/views/api/errors.ts'
import { type RouterOutputs, useTRPC } from '#owner/desk/views/api/trpc.ts'
import { hrefOf } from '#owner/desk/views/navigation/location.ts'
import { useFollowUp } from '#owner/desk/views/parts/actions/follow-up.ts'
import { Fault } from '#owner/desk/views/parts/fault.tsx'
import { LoadingRows } from '#owner/desk/views/parts/outline/rows.tsx'
import { View } from '#owner/desk/views/parts/outline/view.tsx'
import { Soft } from '#owner/desk/views/parts/text.tsx'
import { BackToReady } from './back-to-ready.tsx'

type Address = RouterOutputs['address']['show']

/** The origin that every link in every mail begins with. */
export function AddressView() {
  const trpc = useTRPC()
  const query = useQuery(trpc.address.show.queryOptions())
  const { data } = query
  return (
    <View
      heading={data && headingFor(data)}
      note="Visitors open your page here, and every link in every mail begins with it."
      actions={<BackToReady />}
      query={query}
    >
      {query.isPending && <LoadingRows />}
      {data && <AddressForm key={data.publicUrl} {...data} />}
    </View>
  )
}

function headingFor({ publicUrl }: Address): string {
  return publicUrl === null ? 'No address yet.' : publicUrl
}

function AddressForm({ publicUrl, isFixed }: Address) {
  const save = useSave()
  const form = useForm({
    initialValues: { publicUrl: publicUrl ?? location.origin },
    onValuesChange: () => save.reset(),
  })
  const atField = fieldError(save.error, 'publicUrl')
  const isUnreached = save.error !== null && atField === undefined
  const send = (isSure: boolean) => save.mutate({ ...form.values, isSure })
  return (
    <form onSubmit={form.onSubmit(() => send(false))}>
      <Stack maw={620} mt="xl">
        <TextInput
          {...form.getInputProps('publicUrl')}
          name="publicUrl"
          label="Address"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          readOnly={isFixed}
          error={atField}
        />
        {isFixed && (
          <Soft>
            Set by the environment: <code>PUBLIC_URL</code>
          </Soft>
        )}
        {!isFixed && (
          <Group>
            <Button variant="filled" type="submit" loading={save.isPending}>
              Save
            </Button>
            {isUnreached && <Button onClick={() => send(true)}>Use it anyway</Button>}
          </Group>
        )}
        <p role="status">{save.data && <Saved {...save.data} />}</p>
        {isUnreached && <Fault>{errorMessage(save.error)}</Fault>}
        <Notes isProposed={publicUrl === null} />
      </Stack>
    </form>
  )
}

function Saved({ publicUrl, link }: RouterOutputs['address']['save']) {
  if (publicUrl === location.origin || link !== null) return 'Saved'
  return (
    <>
      Saved. From now on your desk is at{' '}
      <a href={`${publicUrl}${hrefOf('')}`}>{publicUrl + hrefOf('')}</a>. Sign in there.
    </>
  )
}

function Notes({ isProposed }: { isProposed: boolean }) {
  return (
    <>
      {isProposed && <Soft>This is the address at which you opened this desk.</Soft>}
      <Soft>Passkeys belong to an address: after a change, add them again under You.</Soft>
    </>
  )
}

function useSave() {
  const trpc = useTRPC()
  const followUp = useFollowUp()
  const { onSettled: refresh } = followUp({
    refresh: [trpc.address.show.queryFilter(), trpc.today.state.queryFilter()],
  })
  return useMutation(
    trpc.address.save.mutationOptions({
      onSuccess: async ({ publicUrl, link }) => {
        // The desk answers at the new address from now on.
        if (link !== null) location.assign(link)
        else if (publicUrl === location.origin) await refresh()
      },
    }),
  )
}

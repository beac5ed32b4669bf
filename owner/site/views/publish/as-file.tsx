import { Button, Group } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { deskApiPath } from '#contract/desk-paths.ts'
import { errorMessage } from '#owner/desk/views/api/errors.ts'
import { answerOf } from '#owner/desk/views/api/send-file.ts'
import { useTRPC } from '#owner/desk/views/api/trpc.ts'
import { go } from '#owner/desk/views/navigation/location.ts'
import { useFollowUp } from '#owner/desk/views/parts/actions/follow-up.ts'
import { saveAnswer } from '#owner/desk/views/parts/actions/save-file.ts'
import { ChooseFileButton } from '#owner/desk/views/parts/actions/choose-file-button.tsx'
import { Fault } from '#owner/desk/views/parts/fault.tsx'
import { Soft } from '#owner/desk/views/parts/text.tsx'
import { useProof } from '#owner/desk/views/proof/proof-context.tsx'
import { usePostFile } from '#owner/desk/views/proof/use-post-file.ts'

const route = 'page-as-file'

/** Saves the published page as one file, and takes such a file as the draft. */
export function AsFile() {
  const trpc = useTRPC()
  const followUp = useFollowUp()
  const { fetchWithProof } = useProof()
  const postFile = usePostFile()
  const take = useMutation({
    mutationFn: async () => saveAnswer(await fetchWithProof(`${deskApiPath}/${route}`)),
  })
  const refresh = [trpc.page.pathFilter()]
  const done = 'It is your draft now. Nothing is live before you publish it.'
  const { onSuccess, onSettled } = followUp({ refresh, done })
  const bring = useMutation({
    mutationFn: async (chosen: File) => answerOf(await postFile(route, chosen)),
    async onSuccess() {
      // The view of the texts opens once it can show the new draft.
      onSuccess()
      await onSettled()
      go('page')
    },
  })
  return (
    <>
      <Group mt="md">
        <Button loading={take.isPending} onClick={() => take.mutate()}>
          Export your page
        </Button>
        <ChooseFileButton
          name="content"
          accept=".json,application/json"
          onChoose={(chosen) => bring.mutate(chosen)}
        >
          Import a page
        </ChooseFileButton>
      </Group>
      <Soft mt="xs">
        One file holds what is published, with script, guide and pictures. Imported here or at
        another site, it becomes the draft. The draft before it is kept.
      </Soft>
      <Fault>{errorMessage(take.error) ?? errorMessage(bring.error)}</Fault>
    </>
  )
}

import { Group, Select } from '@mantine/core'
import { randomId } from '@mantine/hooks'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type RouterOutputs, useTRPC } from '#owner/desk/views/api/trpc.ts'
import { formatMoment } from '#owner/desk/views/format/format.ts'
import { useViewState } from '#owner/desk/views/navigation/view-state.ts'
import { ActionButton } from '#owner/desk/views/parts/actions/action-button.tsx'
import { useFollowUp } from '#owner/desk/views/parts/actions/follow-up.ts'
import { LoadingRows } from '#owner/desk/views/parts/outline/rows.tsx'
import { Section } from '#owner/desk/views/parts/outline/section.tsx'
import { ComposeLetter } from './compose.tsx'
import type { Draft, OpenDraft } from './use-choices.ts'

interface LettersProps {
  state: RouterOutputs['announce']['show']
}

/** The drafts of letters, one of which is open. */
export function Letters({ state }: LettersProps) {
  const trpc = useTRPC()
  const query = useQuery(trpc.letters.drafts.queryOptions())
  const [{ draft: chosen }, choose] = useViewState({ draft: '' })
  const [empty, setEmpty] = useState(newEmptyDraft)
  const drafts = query.data
  if (!drafts) {
    return (
      <Section heading="Your letter" query={query}>
        {query.isPending && <LoadingRows />}
      </Section>
    )
  }
  const draft = drafts.find(({ id }) => id === chosen) ?? drafts[0]
  return (
    <>
      {draft && (
        <Section heading="Your letters" note="Drafts are kept here until they are sent.">
          <Group align="end" gap="xs">
            <Select
              label="Draft"
              allowDeselect={false}
              value={draft.id}
              data={drafts.map((one) => ({ value: one.id, label: nameOf(one) }))}
              onChange={(id) => choose({ draft: id ?? '' })}
            />
            <NewDraft onAdd={(id) => choose({ draft: id })} />
            <Discard draft={draft} onDone={() => setEmpty(newEmptyDraft())} />
          </Group>
        </Section>
      )}
      <ComposeLetter
        key={draft?.id ?? empty.id}
        draft={draft ? { ...draft, isKept: true } : empty}
        state={state}
      />
    </>
  )
}

/** Without a draft on the server, the owner writes in an empty one. */
function newEmptyDraft(): OpenDraft {
  return { id: randomId('-'), subject: '', preview: '', text: '', changedAt: 0, isKept: false }
}

function nameOf({ subject, changedAt }: Draft): string {
  const name = subject.trim() || 'No subject yet'
  return changedAt > 0 ? `${name} · ${formatMoment(changedAt)}` : name
}

function NewDraft({ onAdd }: { onAdd: (id: string) => void }) {
  const trpc = useTRPC()
  const followUp = useFollowUp()
  const refresh = [trpc.letters.drafts.queryFilter()]
  const add = useMutation(
    trpc.letters.add.mutationOptions({ ...followUp({ refresh }), onSuccess: onAdd }),
  )
  return (
    <ActionButton mutation={add} input={{}}>
      New draft
    </ActionButton>
  )
}

function Discard({ draft, onDone }: { draft: Draft; onDone: () => void }) {
  const trpc = useTRPC()
  const followUp = useFollowUp()
  const refresh = [trpc.letters.drafts.queryFilter()]
  const remove = useMutation(
    trpc.letters.remove.mutationOptions({ ...followUp({ refresh }), onSuccess: onDone }),
  )
  return (
    <ActionButton mutation={remove} input={{ draft: draft.id }}>
      Discard this one
    </ActionButton>
  )
}

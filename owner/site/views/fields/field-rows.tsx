import { useCallbackRef } from '@mantine/hooks'
import { useMemo } from 'react'
import type { Field } from '#site/words/description.ts'
import { textAt } from '#owner/site/draft/draft-difference.ts'
import type { PageDraft } from '../draft/use-draft.ts'
import { isWithin } from '../groups/groups.tsx'
import { type FieldActions, FieldRow } from './field-row.tsx'

interface FieldRowsProps {
  draft: PageDraft
  fields: readonly Field[]
}

/** Fields of the draft, which is saved as they are typed in. */
export function FieldRows({ draft, fields }: FieldRowsProps) {
  const actions = useFieldActions(draft)
  return fields.map((field) => (
    <FieldRow
      key={field.path}
      field={field}
      value={textAt(draft.texts, field.path, draft.own)}
      published={textAt(draft.state.published, field.path, draft.own)}
      findings={draft.findings.filter((one) => isWithin(one.path, field.path))}
      conflict={draft.conflicts[field.path]}
      actions={actions}
    />
  ))
}

function useFieldActions(draft: PageDraft): FieldActions {
  const change = useCallbackRef(draft.change)
  const { keepMine, takeTheirs } = draft
  return useMemo(() => ({ change, keepMine, takeTheirs }), [change, keepMine, takeTheirs])
}

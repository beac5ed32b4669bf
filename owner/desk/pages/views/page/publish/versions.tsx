import { Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTRPC } from '../../../api/trpc.ts'
import { counted, formatDayAndTime, formatNumber } from '../../../format/format.ts'
import { hrefOf, navigateTo } from '../../../navigation/location.ts'
import { ConfirmButton } from '../../../parts/actions/confirm-button.tsx'
import { useFollowUp } from '../../../parts/actions/follow-up.ts'
import { LinkButton } from '../../../parts/link-button.tsx'
import { LoadingRows, type RowProps, Rows } from '../../../parts/outline/rows.tsx'
import { Section } from '../../../parts/outline/section.tsx'
import { Soft } from '../../../parts/text.tsx'
import type { PageDraft } from '../draft/use-draft.ts'
import { changesOf } from '../head.tsx'
import { Changes, textChanges } from './changes.tsx'

/** Before the first version. */
const defaultsId = 0

/** What was published before, the newest first, and the defaults last. */
export function Versions({ draft }: { draft: PageDraft }) {
  const trpc = useTRPC()
  const query = useQuery(trpc.page.versions.list.queryOptions())
  const versions = query.data ?? []
  const rows = versions.map((version, index): RowProps => {
    const when = formatDayAndTime(version.publishedAt)
    return {
      id: version.id,
      words: (
        <>
          <strong>{when}</strong> {index === 0 && 'is live'}
        </>
      ),
      note: <WhatItChanged id={version.id} about={version.about} />,
      actions: index > 0 && <BringBack id={version.id} name={when} draft={draft} />,
      axis: formatNumber(version.changes),
    }
  })
  const defaults = {
    id: defaultsId,
    words: (
      <>
        <strong>The defaults</strong> {versions.length === 0 && 'are live'}
      </>
    ),
    note: 'As the product came',
    actions: versions.length > 0 && <BringBack id={defaultsId} name="the defaults" draft={draft} />,
    axis: '–',
  }
  return (
    <div id="earlier-versions">
      <Section
        heading="Earlier versions"
        note="The last fifty are kept. “Bring back” makes a draft of one; nothing is live before you publish it. At the right: what changed."
        query={query}
      >
        {query.isPending ? <LoadingRows /> : <Rows rows={[...rows, defaults]} />}
      </Section>
    </div>
  )
}

function WhatItChanged({ id, about }: { id: number; about: string }) {
  const trpc = useTRPC()
  const [isOpen, setOpen] = useState(false)
  const { data } = useQuery({
    ...trpc.page.versions.changes.queryOptions({ id }),
    enabled: isOpen,
    staleTime: Infinity,
  })
  return (
    <>
      {about}{' '}
      <LinkButton aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        What it changed
      </LinkButton>
      {isOpen && data && <Changes changes={textChanges(data.before.texts, data.after.texts)} />}
    </>
  )
}

interface BringBackProps {
  id: number
  name: string
  draft: PageDraft
}

function BringBack({ id, name, draft }: BringBackProps) {
  const trpc = useTRPC()
  const followUp = useFollowUp()
  const options = followUp({
    refresh: [trpc.page.pathFilter()],
    done: 'It is your draft now. Nothing is live before you publish it.',
  })
  const bringBack = useMutation(
    trpc.page.versions.bringBack.mutationOptions({
      ...options,
      async onSettled() {
        await options.onSettled()
        navigateTo(hrefOf('page'))
      },
    }),
  )
  const changes = changesOf(draft)
  return (
    <ConfirmButton
      words="Bring back"
      aria-label={`Bring back: ${name}`}
      heading={`Bring back ${name}?`}
      mutation={bringBack}
      input={{ id }}
    >
      <Text>It becomes your draft. Nothing is live before you publish it.</Text>
      {changes > 0 && <Soft>{counted(changes, 'change')} of the draft you have now will go.</Soft>}
    </ConfirmButton>
  )
}

import { Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type RouterOutputs, useTRPC } from '#owner/desk/views/api/trpc.ts'
import { counted, formatDayAndTime, formatNumber } from '#owner/desk/views/format/format.ts'
import { go, useHash } from '#owner/desk/views/navigation/location.ts'
import { ConfirmButton } from '#owner/desk/views/parts/actions/confirm-button.tsx'
import { useFollowUp } from '#owner/desk/views/parts/actions/follow-up.ts'
import { LinkButton } from '#owner/desk/views/parts/link-button.tsx'
import { LoadingRows, type RowProps, Rows } from '#owner/desk/views/parts/outline/rows.tsx'
import { Section } from '#owner/desk/views/parts/outline/section.tsx'
import { Soft } from '#owner/desk/views/parts/text.tsx'
import type { PageDraft } from '../draft/use-draft.ts'
import { countChanges } from '../head.tsx'
import { AsFile } from './as-file.tsx'
import { Changes, textChanges } from './changes.tsx'

/** Before the first version. */
const defaultsId = 0

/** Published versions and kept drafts, the newest first, and the defaults at the end. */
export function Versions({ draft }: { draft: PageDraft }) {
  const trpc = useTRPC()
  const query = useQuery(trpc.page.versions.list.queryOptions())
  const box = useRef<HTMLDivElement>(null)
  const isNamed = useHash() === 'earlier-versions'
  const { isPending } = query
  useEffect(() => {
    if (isNamed && !isPending) box.current?.scrollIntoView()
  }, [isNamed, isPending])
  const versions = query.data ?? []
  const live = versions.find(({ state }) => state === 'published')
  const defaults: RowProps = {
    id: 'defaults',
    words: (
      <>
        <strong>The defaults</strong> {!live && 'are live'}
      </>
    ),
    note: 'As the product came',
    actions: versions.length > 0 && <BringBack id={defaultsId} name="the defaults" draft={draft} />,
    axis: '–',
  }
  const rows = versions.map((version) => rowOf(version, version === live, draft))
  return (
    <div ref={box}>
      <Section
        heading="Earlier versions"
        note="The last fifty are kept. “Bring back” makes a draft of one; nothing is live before you publish it. At the right: how many changes it made."
        query={query}
      >
        {query.isPending ? <LoadingRows /> : <Rows rows={[...rows, defaults]} />}
        <AsFile />
      </Section>
    </div>
  )
}

type Version = RouterOutputs['page']['versions']['list'][number]

function rowOf(version: Version, isLive: boolean, draft: PageDraft): RowProps {
  const { id, state, changedAt, changes } = version
  const when = formatDayAndTime(changedAt)
  return {
    id: String(id),
    words: (
      <>
        <strong>{when}</strong> {isLive && 'is live'}
        {state === 'draft' && 'a draft, not published'}
      </>
    ),
    note: <WhatItChanged {...version} />,
    actions: !isLive && <BringBack id={id} name={when} draft={draft} />,
    axis: formatNumber(changes),
  }
}

function WhatItChanged({ id, about, isFirst }: Version) {
  const trpc = useTRPC()
  const [isOpen, setOpen] = useState(false)
  const { data } = useQuery({
    ...trpc.page.versions.changes.queryOptions({ id }),
    enabled: isOpen,
  })
  return (
    <>
      {about}{' '}
      <LinkButton inherit aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        What it changed
      </LinkButton>
      {isOpen && isFirst && (
        <Soft>No earlier version is kept. These are the changes from the defaults.</Soft>
      )}
      {isOpen && data && <Changes changes={textChanges(data.before, data.after, data.files)} />}
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
      async onSuccess() {
        // The view of the texts opens once it can show the new draft.
        options.onSuccess()
        await options.onSettled()
        go('page')
      },
    }),
  )
  const changes = countChanges(draft)
  return (
    <ConfirmButton
      words="Bring back"
      aria-label={`Bring back: ${name}`}
      heading={id === defaultsId ? 'Restore the defaults?' : `Restore the version of ${name}?`}
      mutation={bringBack}
      input={{ id }}
    >
      <Text>It becomes your draft. Nothing is live before you publish it.</Text>
      {changes > 0 && (
        <Soft>
          Your {counted(changes, 'change')} {changes === 1 ? 'is' : 'are'} kept as a draft version.
        </Soft>
      )}
    </ConfirmButton>
  )
}

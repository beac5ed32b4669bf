import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { fileNames } from '#owner/site/draft/file-words.ts'
import { fileKinds } from '#site/source.ts'
import { wordsWithoutFile } from '../files/file-rules.ts'
import { errorField, errorMessage } from '#owner/desk/views/api/errors.ts'
import { useTRPC } from '#owner/desk/views/api/trpc.ts'
import { useTodayState } from '#owner/desk/views/api/use-today-state.ts'
import { counted } from '#owner/desk/views/format/format.ts'
import { hrefOf } from '#owner/desk/views/navigation/location.ts'
import { useFollowUp } from '#owner/desk/views/parts/actions/follow-up.ts'
import { Fault, type Loading } from '#owner/desk/views/parts/fault.tsx'
import { View } from '#owner/desk/views/parts/outline/view.tsx'
import type { SaveStatus } from '../draft/draft-keeper.ts'
import type { PageDraft } from '../draft/use-draft.ts'
import { FieldLink } from '../groups/field-link.tsx'
import { obstacleOf, ObstacleWords } from '../head.tsx'
import { type Change, Changes, textChanges } from './changes.tsx'
import { Versions } from './versions.tsx'

interface PublishProps {
  draft: PageDraft
  query: Loading
}

/** The changes, text by text, and the button that makes them live; below, the versions before. */
export function Publish({ draft, query }: PublishProps) {
  const trpc = useTRPC()
  const followUp = useFollowUp()
  const [isPublished, setPublished] = useState(false)
  const isCurrent = useCurrent(query, draft.status)
  const changes = useChanges(draft)
  const refresh = [trpc.page.pathFilter(), trpc.today.state.queryFilter()]
  const options = followUp({ refresh })
  const publish = useMutation(
    trpc.page.publish.mutationOptions({ ...options, onSuccess: () => setPublished(true) }),
  )
  const obstacle = obstacleOf(draft)
  const isLive = isPublished && changes.length === 0
  const isHeldBack = useTodayState().data?.isHeldBack ?? false
  const field = errorField(publish.error)
  return (
    <View
      heading={isLive ? publishedHeading(isHeldBack) : headingOf(changes)}
      note={
        isLive ? (
          <PageLink isHeldBack={isHeldBack} />
        ) : (
          `The page is drawn and checked first. ${isHeldBack ? 'Visitors see it once you open it under Ready.' : 'It is live as soon as that is done.'} Emails already queued are not changed.`
        )
      }
      actions={
        <>
          {changes.length > 0 && (
            <Button
              variant="filled"
              disabled={obstacle !== undefined || draft.status !== 'saved' || !isCurrent}
              loading={publish.isPending}
              onClick={() => publish.mutate({ revision: draft.state.revision })}
            >
              Publish now
            </Button>
          )}
          <Button component="a" href={hrefOf('page')}>
            Back to the texts
          </Button>
          <div role="status">
            {isLive && 'Published'}
            {publish.isPending && 'Drawing and checking'}
          </div>
        </>
      }
      query={query}
    >
      {obstacle && changes.length > 0 && <ObstacleWords obstacle={obstacle} />}
      {publish.error && !publish.isPending && (
        <Fault>
          This was not published. The page is as it was. {errorMessage(publish.error)}{' '}
          {field !== undefined && field !== '' && <FieldLink path={field} />}
        </Fault>
      )}
      {changes.length > 0 && <Changes changes={changes} />}
      <Versions draft={draft} />
    </View>
  )
}

function publishedHeading(isHeldBack: boolean): string {
  return isHeldBack ? 'Published. Your page is not open yet.' : 'Your page is live.'
}

function PageLink({ isHeldBack }: { isHeldBack: boolean }) {
  if (isHeldBack) return <a href={hrefOf('ready')}>See what is missing before you open it</a>
  return (
    <a href="/" target="_blank" rel="noreferrer">
      See it
    </a>
  )
}

function useChanges(draft: PageDraft): Change[] {
  return [...textChanges(draft.state.published, draft.texts, draft.own), ...fileChanges(draft)]
}

/**
 * Asks once more when the view opens, and when what was typed is saved: what is shown is what will
 * be published.
 */
function useCurrent({ refetch }: Loading, status: SaveStatus): boolean {
  const [isCurrent, setCurrent] = useState(false)
  useEffect(() => {
    let isLatest = true
    setCurrent(false)
    void Promise.resolve(refetch()).then(() => {
      if (isLatest) setCurrent(true)
    })
    return () => {
      isLatest = false
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- not for each answer
  }, [status])
  return isCurrent
}

function headingOf(changes: readonly Change[]): string {
  const files = changes.filter(({ kind }) => kind === 'file').length
  const texts = changes.length - files
  if (changes.length === 0) return 'Nothing has changed.'
  const words = [texts > 0 && counted(texts, 'text'), files > 0 && counted(files, 'file')]
  const verb = changes.length === 1 ? 'changes' : 'change'
  return `${words.filter(Boolean).join(' and ')} ${verb}.`
}

function fileChanges({ state }: PageDraft): Change[] {
  return fileKinds
    .filter((kind) => state.files[kind].isChanged)
    .map((kind): Change => ({
      id: kind,
      kind: 'file',
      name: <a href={hrefOf('page/files')}>{fileNames[kind]}</a>,
      where: '',
      before: state.publishedFiles[kind] ?? wordsWithoutFile[kind],
      after: state.files[kind].name ?? wordsWithoutFile[kind],
    }))
}

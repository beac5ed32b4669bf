import { LoadingRows } from '#owner/desk/views/parts/outline/rows.tsx'
import { View } from '#owner/desk/views/parts/outline/view.tsx'
import { useDraft } from './draft/use-draft.ts'
import { NoSuchView } from '#owner/desk/views/parts/no-such-view.tsx'
import { Files } from './files/files.tsx'
import { Publish } from './publish/publish.tsx'
import { Texts } from './texts.tsx'

interface PageProps {
  /** `files` or `publish`. Empty: the texts. */
  part: string
}

/** Your page: its texts, its files, and what becomes of them when it is published. */
export function Page({ part }: PageProps) {
  const { query, draft } = useDraft()
  if (!draft) {
    return (
      <View heading="Your page" query={query}>
        {query.isPending && <LoadingRows count={8} />}
      </View>
    )
  }
  if (part === 'files') return <Files draft={draft} query={query} />
  if (part === 'publish') return <Publish draft={draft} query={query} />
  return part === '' ? <Texts draft={draft} query={query} /> : <NoSuchView />
}

import { LoadingRows } from '../../parts/outline/rows.tsx'
import { View } from '../../parts/outline/view.tsx'
import { useDraft } from './draft/use-draft.ts'
import { Texts } from './texts.tsx'

/** The texts of your page. */
export function Page() {
  const { query, draft } = useDraft()
  if (!draft) {
    return (
      <View heading="Your page" query={query}>
        {query.isPending && <LoadingRows count={8} />}
      </View>
    )
  }
  return <Texts draft={draft} query={query} />
}

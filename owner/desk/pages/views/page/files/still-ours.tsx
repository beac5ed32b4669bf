import { fieldAt } from '#words/description.ts'
import { hrefOf } from '../../../navigation/location.ts'
import { LinkButton } from '../../../parts/link-button.tsx'
import { Section } from '../../../parts/outline/section.tsx'
import { Soft } from '../../../parts/text.tsx'
import { rootPath } from '../draft/nested-value.ts'
import { callTrue, type PageDraft, wordsAt } from '../draft/use-draft.ts'
import { placeOf } from '../groups/groups.tsx'

/** Texts that an own script makes untrue, until they are rewritten or called true. */
export function StillOurs({ draft }: { draft: PageDraft }) {
  const found = draft.findings.filter(({ about }) => about === 'our script')
  if (!draft.own.script) return null
  return (
    <>
      <Section
        heading="These still speak of the EMA crossover"
        note="With your script they say something untrue. Rewrite them, or say that they are true of yours."
        rows={found.map(({ path }) => ({
          id: path,
          words: (
            <a href={`${hrefOf('page')}#${path}`}>
              {placeOf(path).part.label}, {fieldAt(rootPath(path))?.label}
            </a>
          ),
          note: `“${wordsAt(draft.texts, path)}”`,
          actions: <LinkButton onClick={() => callTrue(draft, path)}>It is true</LinkButton>,
          axis: placeOf(path).group.label,
        }))}
      />
      <Soft mt="md">
        Left out with your script: the two lines and trades of the chart, the losing trade beside
        the note, two pictures of the guide, the bridges.
      </Soft>
    </>
  )
}

import { fieldAt } from '#site/words/description.ts'
import { quoteOurs } from '#site/words/checks/our-script.ts'
import { hrefOf } from '#owner/desk/views/navigation/location.ts'
import { LinkButton } from '#owner/desk/views/parts/link-button.tsx'
import { Section } from '#owner/desk/views/parts/outline/section.tsx'
import { Soft } from '#owner/desk/views/parts/text.tsx'
import { rootPath } from '../draft/nested-value.ts'
import { callTrue, type PageDraft, wordsAt } from '../draft/use-draft.ts'
import { placeOf } from '../groups/groups.tsx'

/** Texts that an own script or guide makes untrue, until they are rewritten or called true. */
export function StillOurs({ draft }: { draft: PageDraft }) {
  return (
    <>
      <StillAbout
        draft={draft}
        what="our script"
        heading="These still speak of the EMA crossover"
        note="With your script they say something untrue. Rewrite them, or say that they are true of yours."
      />
      {draft.own.script && (
        <Soft mt="md">
          Left out with your script: the two lines and trades of the chart, the losing trade beside
          the note, two pictures of the guide, the bridges.
        </Soft>
      )}
      <StillAbout
        draft={draft}
        what="our guide"
        heading="These still speak of our setup guide"
        note="Rewrite them, or say that they are true of yours."
      />
    </>
  )
}

interface StillAboutProps {
  draft: PageDraft
  what: 'our script' | 'our guide'
  heading: string
  note: string
}

function StillAbout({ draft, what, heading, note }: StillAboutProps) {
  const paths = draft.findings.filter(({ about }) => about === what).map(({ path }) => path)
  if (paths.length === 0) return null
  return (
    <Section
      heading={heading}
      note={note}
      rows={paths.map((path) => ({
        id: path,
        words: (
          <a href={`${hrefOf('page')}#${path}`}>
            {placeOf(path).part.label}, {fieldAt(rootPath(path))?.label}
          </a>
        ),
        note: <Quote text={wordsAt(draft.texts, path)} />,
        actions: <LinkButton onClick={() => callTrue(draft, [path])}>It is true</LinkButton>,
        axis: placeOf(path).group.label,
      }))}
    >
      {paths.length > 1 && (
        <LinkButton onClick={() => callTrue(draft, paths)}>All of these are true</LinkButton>
      )}
    </Section>
  )
}

/** The sentence in question, with the words that are about ours in bold. */
function Quote({ text }: { text: string }) {
  return (
    <>
      “
      {quoteOurs(text).map(({ at, words, isOurs }) =>
        isOurs ? <strong key={at}>{words}</strong> : words,
      )}
      ”
    </>
  )
}

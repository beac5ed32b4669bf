import { useState } from 'react'
import { accentsFrom, isColour } from '#site/words/checks/colours.ts'
import { defaultsFor } from '#site/words/defaults.ts'
import { applyDifference } from '#site/words/difference.ts'
import { asDifference } from '#owner/site/draft/draft-difference.ts'
import { type PageDraft, wordsAt } from '../draft/use-draft.ts'
import { ColourInput } from './text-input.tsx'
import styles from './field.module.css'

/** One colour, from which the accents follow. */
export function OneColour({ draft }: { draft: PageDraft }) {
  const { texts, own, change } = draft
  const [typed, setTyped] = useState(wordsAt(draft, 'palette.light.fast'))
  const choose = (colour: string) => {
    setTyped(colour)
    if (!isColour(colour)) return
    const { palette } = applyDifference(defaultsFor(own), asDifference(texts, own))
    for (const [path, accent] of Object.entries(accentsFrom(colour, palette))) change(path, accent)
  }
  return (
    <div className={styles.field}>
      <div className={styles.main}>
        <ColourInput
          name="colour"
          label="Your colour"
          description="It makes the four colours below: for light and dark, the closest one that is easy to read, and a quieter shade."
          error={isColour(typed) ? undefined : 'Write it as #14191b, or choose it.'}
          value={typed}
          isReadOnly={false}
          onChange={(event) => choose(event.currentTarget.value)}
        />
      </div>
      <div className={styles.axis} />
    </div>
  )
}

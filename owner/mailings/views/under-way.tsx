import { Progress } from '@mantine/core'
import { counted, formatNumber, formatShare } from '#owner/desk/views/format/format.ts'
import { hrefOf } from '#owner/desk/views/navigation/location.ts'
import type { RowProps } from '#owner/desk/views/parts/outline/rows.tsx'
import { Section } from '#owner/desk/views/parts/outline/section.tsx'
import { LetterActions, type ListedLetter } from './letter-actions.tsx'
import { underWayWords } from './letter-words.ts'

/** A view of a letter that moves asks again after this time. */
export const movingMs = 5_000

/** It starts or goes out by itself. A letter of the series that is on does not change soon. */
export function isMoving({ state, afterDays }: Pick<ListedLetter, 'state' | 'afterDays'>): boolean {
  return afterDays === null && (state === 'sending' || state === 'scheduled')
}

/** Letters that start, go out or have paused. */
export function UnderWay({ letters }: { letters: readonly ListedLetter[] }) {
  return <Section heading="Under way" rows={letters.map(rowOf)} />
}

function rowOf(letter: ListedLetter): RowProps {
  const { id, title, state, sent, toSend } = letter
  const link = <a href={hrefOf(`letters/${id}`)}>{title}</a>
  const actions = <LetterActions letter={letter} />
  if (state === 'scheduled') {
    const note = `To ${counted(toSend, 'person', 'people')}`
    const words = (
      <>
        {link} {underWayWords(letter)}
      </>
    )
    return { id, words, note, actions }
  }
  return {
    id,
    words: (
      <>
        {link} {underWayWords(letter)}
        <Progress
          mt="xs"
          value={(100 * sent) / Math.max(1, toSend)}
          aria-label={`${title}, sent`}
        />
      </>
    ),
    note: `${formatNumber(sent)} of ${formatNumber(toSend)} sent`,
    actions,
    axis: formatShare(sent, toSend),
  }
}

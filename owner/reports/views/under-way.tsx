import { Progress } from '@mantine/core'
import type { TodayState } from '#owner/desk/views/api/trpc.ts'
import { formatNumber, formatShare } from '#owner/desk/views/format/format.ts'
import { hrefOf } from '#owner/desk/views/navigation/location.ts'
import { Section } from '#owner/desk/views/parts/outline/section.tsx'
import { LetterActions } from '#owner/mailings/views/letter-actions.tsx'
import { underWayWords } from '#owner/mailings/views/letters.tsx'

interface UnderWayProps {
  letter: NonNullable<TodayState['letter']>
}

export function UnderWay({ letter }: UnderWayProps) {
  const { id, title, sent, toSend } = letter
  const row = {
    words: (
      <>
        <a href={hrefOf(`letters/${id}`)}>{title}</a> {underWayWords(letter)}
        <Progress
          mt="xs"
          value={(100 * sent) / Math.max(1, toSend)}
          aria-label={`${title}, sent`}
        />
      </>
    ),
    note: `${formatNumber(sent)} of ${formatNumber(toSend)} sent`,
    actions: <LetterActions letter={letter} />,
    axis: formatShare(sent, toSend),
  }
  return <Section heading="Under way" rows={[row]} />
}

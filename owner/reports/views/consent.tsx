import type { RouterOutputs } from '#owner/desk/views/api/trpc.ts'
import { formatNumber, formatShare } from '#owner/desk/views/format/format.ts'
import { Section } from '#owner/desk/views/parts/outline/section.tsx'

type Place = RouterOutputs['today']['figures']['period']['consent'][number]

const placeNames: Record<Place['place'], string> = {
  mail: 'In the mail with the kit',
  copied: 'After copying the script',
  downloaded: 'After a download',
  switch: 'The switch on their page',
}

/**
 * The share of those who agree to news, by the place where they were asked. Nothing before that.
 */
export function Consent({ places }: { places: readonly Place[] }) {
  return (
    <Section
      heading="Agreed to news"
      note="Of those who were asked there."
      rows={places
        .filter(({ asked, agreed }) => asked + agreed > 0)
        .map(({ place, asked, agreed }) => ({
          id: place,
          words: placeNames[place],
          note: `${formatNumber(agreed)} of ${formatNumber(asked)}`,
          share: agreed / Math.max(asked, agreed),
          axis: formatShare(agreed, asked, 1),
        }))}
    />
  )
}

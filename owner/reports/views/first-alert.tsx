import type { RouterOutputs } from '#owner/desk/views/api/trpc.ts'
import { counted, formatNumber } from '#owner/desk/views/format/format.ts'
import { Section } from '#owner/desk/views/parts/outline/section.tsx'

type Steps = RouterOutputs['today']['figures']['period']['firstAlert']

/**
 * Shows how far people came with a test address on their page. Nothing before the first has one.
 */
export function FirstAlert({ opened, entry, both }: Steps) {
  if (opened + entry + both === 0) return null
  const step = (words: string, count: number) => ({
    words,
    share: count / Math.max(opened, count, 1),
    axis: formatNumber(count),
  })
  return (
    <Section
      heading={`${counted(both, 'person', 'people')} got an alert working`}
      note="With a test address on their page. Each person counts once."
      rows={[
        step('Got a test address', opened),
        step('Saw an entry arrive', entry),
        step('Saw an entry and an exit', both),
      ]}
    />
  )
}

import type { Content } from '#content/content.ts'
import { useContent } from '#site/text/use-content.ts'
import './try-lengths.css'

/** The words for the code behind the button: app/site/pages/browser/lengths/try-lengths.ts. */
export interface LengthWords extends Omit<Content['landingPage']['tryLengths'], 'button'> {
  /** The words of the legend above the chart. */
  readonly averages: Readonly<Record<'fast' | 'slow', { term: string; tip: string }>>
  /** The note in the chart with the script's own lengths. */
  readonly falseSignal: readonly string[]
}

export function lengthWords({ landingPage, setupGuide }: Content): LengthWords {
  const { button: _, ...words } = landingPage.tryLengths
  const { fast, slow } = landingPage.chart
  return {
    ...words,
    averages: {
      fast: { term: fast.term, tip: fast.tip },
      slow: { term: slow.term, tip: slow.tip },
    },
    falseSignal: setupGuide.falseSignal,
  }
}

/** Under the chart. Its place is kept, and it is shown once a press on it is answered. */
export function TryLengths() {
  const { button } = useContent().landingPage.tryLengths
  return (
    <div className="try-lengths" id="lengths">
      <button className="text-button" type="button">
        {button}
      </button>
    </div>
  )
}
